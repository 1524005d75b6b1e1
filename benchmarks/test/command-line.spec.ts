import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaults, readOptions } from '../src/command-line.ts'
import { contenderKeys, contenderOf } from '../src/contenders/index.ts'
import { startCli } from './run-cli.ts'

describe('options', () => {
  it('have defaults without flags and environment', () => {
    assert.deepEqual(readOptions({}, {}), defaults)
  })

  it('are read from the environment', () => {
    const { iterations, minTimeMs, testPaths } = readOptions({}, { ITERATIONS: '3', MIN_TIME: '0', TEST_PATH: 'some/dir' })

    assert.deepEqual({ iterations, minTimeMs, testPaths }, { iterations: 3, minTimeMs: 0, testPaths: ['some/dir'] })
  })

  it('prefer flags', () => {
    assert.equal(readOptions({ iterations: 2 }, { ITERATIONS: '3' }).iterations, 2)
  })

  for (const [what, flags] of [
    ['no number', { iterations: 'many' }],
    ['no iterations', { iterations: 0 }],
    ['a negative time', { minTime: -1 }],
    ['an unknown contender', { contenders: 'kub' }],
    ['no contenders', { contenders: '' }],
    ['an unknown optional contender', { optional: 'kubo,kub' }],
    ['an unknown corpus', { corpora: 'srcs' }]
  ] as const) {
    it(`refuse ${what}`, () => {
      assert.throws(() => readOptions(flags, {}))
    })
  }
})

describe('a contender', () => {
  for (const key of contenderKeys) {
    it(`is found only by its exact key: ${key}`, () => {
      assert.equal(contenderOf(key).key, key)
      assert.throws(() => contenderOf(key.slice(0, -1)))
      assert.throws(() => contenderOf(`${key}x`))
    })
  }
})

describe('the command', () => {
  for (const [what, args, message] of [
    ['flag', ['--nope'], /Unknown option `--nope`/],
    ['case', ['nope'], /there is no case nope; there are add-dir, /],
    ['contender', ['--contenders', 'kub'], /there is no contender kub/]
  ] as const) {
    it(`refuses an unknown ${what} in one line, with exit code 1`, async () => {
      const { exitCode, stderr } = await startCli('index', args)

      assert.equal(exitCode, 1)
      assert.match(String(stderr), message)
      assert.equal(String(stderr).split('\n').length, 1)
    })
  }

  for (const [args, message] of [
    [['--contenders', ''], /^option `--contenders` value is missing$/],
    [['--corpora', ','], /^corpora must have an item at least, and is ","$/],
    [['all', '--cases', ''], /^option `--cases` value is missing$/],
    [['all', '--cases', ' , '], /^cases must have an item at least, and is " , "$/],
    [['growth', '--files='], /^option `--files <list>` value is missing$/],
    [['--min-time', ''], /^option `--min-time` value is missing$/]
  ] as const) {
    it(`refuses an empty flag, and names it: ${args.join(' ')}`, async () => {
      const { exitCode, stderr } = await startCli('index', args)

      assert.equal(exitCode, 1)
      assert.match(String(stderr), message)
    })
  }

  for (const script of ['index', 'generate']) {
    it(`reports in one sentence that Node.js is too old for ${script}`, async () => {
      const pretend = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})'
      const { exitCode, stderr } = await startCli(script, [], {}, ['--import', pretend])

      assert.equal(exitCode, 1)
      assert.match(String(stderr), /^The benchmarks need Node 22 or newer, and this is Node 20\.20\.2: [^\n]+$/)
    })
  }
})
