import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { dirname, join } from 'node:path'
import { clearInterval, setInterval } from 'node:timers'
import { expect } from 'aegir/chai'
import { walkHost } from '../../../src/adapters/host/host-walk.ts'
import { IgnorePatterns } from '../../../src/adapters/host/ignore-patterns.ts'
import { maxRulesBytes } from '../../../src/adapters/host/ignore-rules.ts'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { below, random, seed } from '../../seed.ts'
import { slowness } from '../../slowness.ts'
import { memoryFs, paths, temporaryDirectory } from './host.ts'

describe('adapters/host/ignore-rules', () => {
  let source: string
  let remove: () => void

  beforeEach(() => {
    ({ path: source, remove } = temporaryDirectory())
  })

  afterEach(() => {
    remove()
  })

  function write (path: string, content = ''): void {
    nodefs.mkdirSync(dirname(join(source, path)), { recursive: true })
    nodefs.writeFileSync(join(source, path), content)
  }

  function clear (): void {
    for (const name of nodefs.readdirSync(source)) {
      if (name !== '.git') {
        nodefs.rmSync(join(source, name), { recursive: true })
      }
    }
  }

  function taken (): string[] {
    const found = walkHost(source, { hidden: true, ignore: ['/.git'], ignoreFiles: ['.gitignore'], maxSegments: 1_024 }, error => { throw error })

    // git takes none of its own, whatever rules say
    return Array.from(found).flatMap(entry => entry?.kind === 'file' && !entry.below.startsWith('.git/') ? entry.below : []).sort()
  }

  function takenByGit (): string[] {
    return execFileSync('git', ['-C', source, 'ls-files', '--others', '--exclude-standard', '-z']).toString().split('\0').filter(path => path !== '').sort()
  }

  function isIgnored (pattern: string, path: string): boolean {
    return new IgnorePatterns([pattern]).ignores(path.split('/'), 0, false) === true
  }

  const patterns: Array<[pattern: string, ignored: string[], taken: string[]]> = [
    ['a', ['a', 'x/a'], ['A', 'ab']],
    ['/a', ['a'], ['x/a']],
    ['x/a', ['x/a'], ['a', 'y/x/a']],
    ['a ', ['a'], ['a ']],
    ['a\\ ', ['a '], ['a']],
    ['\\#a', ['#a'], ['a']],
    ['#a', [], ['#a', 'a']],
    ['\\!a', ['!a'], ['a']],
    ['*.b', ['.b', 'a.b', 'x/a.b'], ['a.bc', 'b']],
    ['x/*', ['x/a'], ['a', 'y/x/a']],
    ['a*b*c', ['abc', 'axxbyyc', 'abbcc'], ['acb', 'ab', 'abcd']],
    ['a**b', ['ab', 'axb'], ['ax']],
    ['?', ['a', '?'], ['', 'ab']],
    ['x?a', ['xya'], ['x/a', 'xa']],
    ['**/a', ['a', 'x/a', 'x/y/a'], ['xa']],
    ['x/**', ['x/a', 'x/y/a'], ['x', 'y/x/a']],
    ['x/**/a', ['x/a', 'x/y/a', 'x/y/z/a'], ['a', 'x/ya']],
    ['x/**/y/**/a', ['x/y/a', 'x/1/y/2/3/a', 'x/y/y/a'], ['x/a', 'x/1/2/a']],
    ['x/***/a', ['x/a', 'x/y/z/a'], []],
    ['x/**\\/a', ['x/y/a', 'x/y/z/a'], ['x/a']],
    // as if what is before were a name
    ['xy**/a', ['xya', 'xyz/a', 'xyz/z/a'], ['x/a']],
    ['x?**/a', ['xyz/a'], ['xyz/z/a']],
    ['[ab]', ['a', 'b'], ['c', '[ab]']],
    ['[!ab]', ['c'], ['a', 'b']],
    ['[^a-c]', ['d'], ['a', 'b', 'c']],
    ['[]a]', [']', 'a'], ['b']],
    ['[]-a]', [']', '^', 'a'], ['-', 'b']],
    ['[a-]', ['a', '-'], ['b']],
    ['[c-a]', ['c'], ['a', 'b']],
    ['[\\]]', [']'], ['\\']],
    ['[[:digit:]x]', ['0', 'x'], ['d', ':']],
    ['[[:punct:]]', ['!', '_', '~'], ['a']],
    ['[[:d]', ['[', ':', 'd'], ['1']],
    ['[[:none:]]', [], ['n', ':']],
    ['x[/]a', [], ['x/a']],
    ['[a', [], ['a', '[a']],
    ['a\\', [], ['a', 'a\\']],
    ['\\a', ['a'], ['\\a']]
  ]

  patterns.forEach(([pattern, ignored, others]) => {
    it(`interprets ${JSON.stringify(pattern)} as git does`, () => {
      expect(ignored.filter(path => !isIgnored(pattern, path)), 'ignored').to.deep.equal([])
      expect(others.filter(path => isIgnored(pattern, path)), 'taken').to.deep.equal([])

      execFileSync('git', ['init', '-q', source])
      write('.git/info/exclude', `${pattern}\n`)

      for (const path of [...ignored, ...others].filter(name => name !== '')) {
        const { status } = gitCheck(path)
        expect(status === 0, path).to.equal(ignored.includes(path))
      }
    })
  })

  function gitCheck (path: string): { status: number } {
    try {
      // by its own name alone: nothing is there that it could be in
      execFileSync('git', ['-C', source, 'check-ignore', '-q', '--no-index', `./${path}`])

      return { status: 0 }
    } catch (err) {
      return { status: Number(Reflect.get(Object(err), 'status')) }
    }
  }

  it(`agrees with git in random trees: seed ${seed}`, () => {
    const names = ['a', 'b', 'ab', 'a.b', 'c ', 'x[y]', '!n', '#h', 'a\\b', 'A']
    const parts = ['a', 'b', 'ab', '*', '**', '?', '/', '/', '!', '[ab]', '[!a]', '.', ' ', '\\ ', '\\', 'c', '#', '\\!', 'x\\[y\\]', '/**', '**/', '*.b', 'A']
    const next = random()
    const one = (of: readonly string[]): string => of[below(next, of.length)]
    const pattern = (): string => Array.from({ length: 1 + below(next, 4) }, () => one(parts)).join('')
    execFileSync('git', ['init', '-q', source])

    for (let tree = 0; tree < 60; tree++) {
      clear()
      const directories = ['.']

      for (let i = 0; i < 25; i++) {
        const path = join(one(directories), one(names))

        if (!nodefs.existsSync(join(source, path))) {
          if (i < 6) {
            nodefs.mkdirSync(join(source, path))
            directories.push(path)
          } else {
            write(path)
          }
        }
      }

      for (let i = 0; i < 3; i++) {
        write(join(i === 0 ? '.' : one(directories), '.gitignore'), Array.from({ length: 1 + below(next, 3) }, pattern).join(one(['\n', '\r\n'])))
      }

      expect(taken(), nodefs.readFileSync(join(source, '.gitignore'), 'utf8')).to.deep.equal(takenByGit())
    }
  }).timeout(60_000)

  /** For how long an import holds up the event loop. */
  async function heldMs (): Promise<number> {
    let last = performance.now()
    let held = 0
    const timer = setInterval(() => {
      held = Math.max(held, performance.now() - last)
      last = performance.now()
    }, 1)

    try {
      await importDirectory(memoryFs(), source, { ignoreFiles: ['.gitignore'] })
      await new Promise(resolve => setTimeout(resolve, 10))
    } finally {
      clearInterval(timer)
    }

    return held
  }

  const hostile: Array<[what: string, pattern: string, path: string]> = [
    ['any directories, again and again', `${'**/a/'.repeat(15)}b`, `${'a/'.repeat(30)}a`],
    ['any characters, again and again', `${'*a'.repeat(100)}*b`, 'a'.repeat(255)],
    ['both', `**/${'*a'.repeat(20)}*b/`.repeat(10), `${'a'.repeat(200)}/`.repeat(15) + 'a'],
    ['as many expressions as there are characters', '[:'.repeat(30_000), 'a'],
    ['as many as there may be', 'x\n'.repeat(maxRulesBytes / 2), 'a'],
    ['as many as there may be that each almost match', `*${'?'.repeat(126)}b*\n`.repeat(maxRulesBytes / 130), 'a'.repeat(255)]
  ]

  hostile.forEach(([what, content, path]) => {
    it(`blocks the event loop for at most 100 ms with patterns of ${what}`, async () => {
      write('.gitignore', content)
      write(path)

      let shortest = await heldMs()

      // a machine that others use as well stalls for longer than that now and then
      for (let tries = 1; shortest >= 100 && tries < 10; tries++) {
        shortest = Math.min(shortest, await heldMs())
      }

      expect(shortest).to.be.below(100 * slowness())
    }).timeout(60_000)
  })

  it('limits the bytes of nested ignore files, and skips others if asked to', async () => {
    write('.gitignore', '#'.repeat(maxRulesBytes - 100))
    write('a/.gitignore', `x\n${'#'.repeat(98)}`)
    write('a/x')
    write('a/b/.gitignore', 'y\n')
    write('a/b/x')
    write('a/b/y')
    const fs = memoryFs()
    await expect(importDirectory(fs, source, { ignoreFiles: ['.gitignore'] })).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError', path: join(source, 'a/b/.gitignore') })
    const { skipped } = await importDirectory(fs, source, { ignoreFiles: ['.gitignore'], onSourceError: 'skip' })

    expect(skipped.map(entry => entry.path)).to.deep.equal([join(source, 'a/b/.gitignore')])
    expect(await paths(fs)).to.deep.equal(['/.gitignore', '/a', '/a/.gitignore', '/a/b', '/a/b/.gitignore', '/a/b/y'])
  })
})
