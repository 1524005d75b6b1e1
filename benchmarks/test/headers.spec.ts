import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sections } from '../src/cases/headers/charts.ts'
import { contenderKeys } from '../src/cases/headers/contenders/index.ts'
import { operationKeys } from '../src/cases/headers/operations/index.ts'
import { readOptions } from '../src/cases/headers/options.ts'
import { headersSection } from '../src/cases/headers/readme-section.ts'
import { sayAnswer, withoutPlace } from '../src/cases/headers/wnfs-go.ts'
import { Work } from '../src/cases/headers/work.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { OpenHeadersContender } from '../src/cases/headers/contenders/index.ts'
import type { HeadersReport, HeadersRow } from '../src/cases/headers/index.ts'
import type { Operation } from '../src/cases/headers/operations/index.ts'
import type { Counted } from '../src/cases/headers/protocol.ts'
import type { Tree } from '../src/trees/tree.ts'

const ITERATIONS = 2
const FILE_BYTES = 10_240

async function run (...flags: string[]): Promise<{ exitCode: number | undefined, stdout: string, report: HeadersReport }> {
  const json = join(await temporary(), 'report.json')
  const { exitCode, stdout } = await startCli('index', ['headers', '--sizes', String(FILE_BYTES), '--json', json, ...flags], { ITERATIONS: String(ITERATIONS), MIN_TIME: '0' })

  return { exitCode, stdout: String(stdout), report: JSON.parse(await readFile(json, 'utf8')) }
}

describe('a run of headers with all contenders, in memory', () => {
  let report: HeadersReport
  let stdout: string
  let exitCode: number | undefined

  before(async () => {
    ({ report, stdout, exitCode } = await run('--stores', 'memory'))
  })

  it('passes, although one contender is unavailable', () => {
    assert.equal(exitCode, 0)
  })

  it('measured every contender and operation after verifying the stored data', () => {
    const measured = report.rows.filter(({ contender }) => contender !== 'wnfs-go')

    assert.deepEqual(measured.map(({ operation, contender }) => [operation, contender]), operationKeys.flatMap(operation => contenderKeys.map(contender => [operation, contender])))

    for (const row of measured) {
      assert.equal(row.status, 'ok', `${row.contender}, ${row.operation}: ${row.reason}`)
      assert.equal(row.rawMs.length, ITERATIONS)
      assert.ok(row.rawMs.every(ms => ms > 0))
      assert.match(row.cid ?? '', /^ba/)
      assert.ok((row.counted?.blocksRead ?? 0) > 0)
    }
  })

  it('reports Go\'s error for wnfs-go without the proxy address', () => {
    const answer = 'go: module example.org/m: reading https://modules.example.org/m/@v/list: 404 Not Found'

    assert.equal(withoutPlace(answer), 'go: module example.org/m: 404 Not Found')
    assert.equal(withoutPlace('go is not there'), 'go is not there')
  })

  it('reports the wnfs-go module as unavailable only if Go said so', () => {
    const answered = (stderr: string): string => sayAnswer({ failed: true, stderr }).split(';')[0]

    assert.equal(answered('go: module example.org/m: reading https://modules.example.org/m/@v/list: 404 Not Found'), 'its Go module cannot be had, since the Go module proxy refused it')
    assert.equal(answered('go: module example.org/m: reading https://modules.example.org/m/@v/list: 403 Forbidden\n\tserver response: not available'), 'its Go module cannot be had, since the Go module proxy refused it')
    assert.equal(answered('go: module example.org/m: git ls-remote -q origin: exit status 128: remote: Repository not found.'), 'its Go module cannot be had')
    assert.equal(answered('go: module example.org/m: Get "https://modules.example.org/m/@v/list": dial tcp: lookup modules.example.org: no such host'), 'whether its Go module can be had was not to be learnt')
    assert.equal(answered('go: example.org/m@latest: module lookup disabled by GOPROXY=off'), 'whether its Go module can be had was not to be learnt')
    assert.equal(sayAnswer({ failed: true, message: 'Command timed out after 30000 milliseconds: go list' }).split(';')[0], 'whether its Go module can be had was not to be learnt')
    assert.equal(sayAnswer({ failed: true, code: 'ENOENT', message: 'spawn go ENOENT' }), 'Go is not installed here, so that its Go module was not asked for')
    assert.match(sayAnswer({ failed: false, stdout: 'example.org/m v0.1.0' }), /^its Go module can be had \(example.org\/m v0.1.0\)/)
  })

  it('says why wnfs-go is not measured, and shows its published figures', () => {
    const rows = report.rows.filter(({ contender }) => contender === 'wnfs-go')

    assert.ok(rows.every(({ status, samples, reason }) => status === 'unavailable' && samples === 0 && /its Go module (can|was not asked for)/.test(reason ?? '')))
    assert.equal(rows.length, operationKeys.length)
    assert.equal(report.published.length, 3 * operationKeys.length)
    assert.match(stdout, /Published for wnfs-go, not measured here:/)
  })

  it('saves one block per stored file and directory with inlined metadata', () => {
    for (const [operation, nodes] of [['write', 2], ['write-subdir', 3], ['cp', 22]] as const) {
      assert.equal(countedOf('headers-cbor', operation).blocksPut - countedOf('headers-inlined', operation).blocksPut, nodes)
    }
  })

  it('reads one block less per file and directory on the path', () => {
    for (const [operation, nodes] of [['cat', 2], ['cat-subdir', 3]] as const) {
      assert.equal(countedOf('headers-cbor', operation).blocksRead - countedOf('headers-inlined', operation).blocksRead, nodes)
    }
  })

  it('needs only directory and content blocks with dagfs', () => {
    assert.deepEqual([countedOf('dagfs', 'cat').blocksRead, countedOf('dagfs', 'cat-subdir').blocksRead], [2, 3])
    assert.deepEqual(['write', 'write-subdir', 'cp'].map(operation => countedOf('dagfs', operation).blocksPut), [2, 3, 22])
  })

  it('compares each operation for each question, with an interval', () => {
    assert.equal(report.comparisons.length, 4 * operationKeys.length)

    for (const { time: { low, ratio, high, rounds } } of report.comparisons) {
      assert.ok(low <= ratio && ratio <= high)
      assert.equal(rounds, ITERATIONS)
    }
  })

  it('gives the page charts of all contenders, and names missing ones', () => {
    const [section] = sections(report)

    assert.equal(section.charts.length, 4)
    assert.deepEqual(section.charts[0].table.rows.map(([contender]) => contender), contenderKeys)
    assert.deepEqual(section.unavailable.map(({ what }) => what), ['wnfs-go'])
  })

  function countedOf (contender: string, operation: string): Counted {
    const counted = report.rows.find((row: HeadersRow) => row.contender === contender && row.operation === operation)?.counted

    assert.ok(counted != null)

    return counted
  }
})

describe('a run of headers on disk', () => {
  it('makes the same store requests and the same tree as in memory', async () => {
    const flags = ['--operations', 'write-subdir', '--contenders', 'headers-inlined,dagfs,helia-mfs']
    const [onDisk, inMemory] = [await run('--stores', 'disk', ...flags), await run('--stores', 'memory', ...flags)]

    assert.equal(onDisk.exitCode, 0)
    assert.deepEqual(onDisk.report.rows.map(({ counted, cid }) => [counted, cid]), inMemory.report.rows.map(({ counted, cid }) => [counted, cid]))
  })
})

describe('a sample of headers', () => {
  /**
   * What happens in one, from its beginning to its end
   */
  async function eventsOf (store: 'memory' | 'disk'): Promise<string[]> {
    const events: string[] = []
    const noted = (event: string): void => { events.push(event) }
    const tree = { commit: async () => 'bafy', reopen: async () => tree } as Partial<Tree> as Tree
    const contender: OpenHeadersContender = { version: '', options: {}, create: async () => tree }
    const operation: Operation = {
      key: '', benchmark: '', describe: '', files: 1, readsOnly: false, prepare: async () => { noted('prepare') }, source: () => [], run: async () => { noted('run'); return 'bafy' }, verify: async () => { noted('verify') }
    }

    await new Work(contender, operation, { contender: '', operation: '', fileBytes: FILE_BYTES, runs: 2, warmUpRounds: 0, store, directory: await temporary() }, async () => { noted('flush') }).round()

    return events
  }

  it('flushes between preparation and runs on disk', async () => {
    assert.deepEqual(await eventsOf('disk'), ['prepare', 'prepare', 'flush', 'run', 'run', 'verify'])
  })

  it('does not flush in memory', async () => {
    assert.deepEqual(await eventsOf('memory'), ['prepare', 'prepare', 'run', 'run', 'verify'])
  })
})

describe('a run of headers with two sizes', () => {
  it('shows each size\'s store requests on the page and in the README', async () => {
    const { report } = await run('--operations', 'cat,cp', '--contenders', 'headers-inlined,headers-cbor', '--stores', 'memory', '--sizes', '10240,20480')
    const titles = sections(report)[0].charts.map(({ title }) => title)

    for (const size of ['10 KiB', '20 KiB']) {
      assert.deepEqual(titles.filter(title => title.includes(size)), [
        `Blocks for one file of ${size}`, `Blocks for ten directories of one file each, of ${size}`, `Bytes beside the file’s own, files of ${size}`, `Time, files of ${size}`
      ])
      assert.ok(headersSection(report).includes(`those of them that are not the files', at ${size}:`))
    }

    assert.ok(headersSection(report).includes(`${ITERATIONS} rounds of files of 10 KiB, ${ITERATIONS} rounds of files of 20 KiB, taken in turn.`))
  })
})

describe('options of headers', () => {
  for (const [what, flags] of [
    ['an unknown contender', { contenders: 'wnfs-go' }],
    ['an unknown operation', { operations: 'rm' }],
    ['an unknown store', { stores: 'tape' }],
    ['files that dagfs holds in directories', { sizes: 2_048 }],
    ['no iterations', { iterations: 0 }]
  ] as const) {
    it(`refuse ${what}`, () => {
      assert.throws(() => readOptions(flags, {}))
    })
  }
})
