import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { walkHost } from '../../../src/adapters/host/host-walk.ts'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { memoryFs, paths, temporaryDirectory } from './host.ts'
import type { DagFs } from '../../../src/index.ts'

const mebibyte = 2 ** 20

describe('adapters/host/import, while another process replaces a source directory', () => {
  const { openSync, readlinkSync } = nodefs
  let root: string
  let source: string
  let outside: string
  let remove: () => void
  let fs: DagFs

  beforeEach(() => {
    ({ path: root, remove } = temporaryDirectory())
    source = join(root, 'source')
    outside = join(root, 'outside')
    fs = memoryFs()
  })

  afterEach(() => {
    Object.assign(nodefs, { openSync, readlinkSync })
    remove()
  })

  /** The same names in the source and outside of it. */
  function write (below: string, mine: string | Uint8Array, secret: string | Uint8Array): void {
    for (const [directory, content] of [[source, mine], [outside, secret]] as const) {
      nodefs.mkdirSync(join(directory, below, '..'), { recursive: true })
      nodefs.writeFileSync(join(directory, below), content)
    }
  }

  function putLink (): void {
    nodefs.renameSync(join(source, 'a'), join(root, 'moved'))
    nodefs.symlinkSync(join(outside, 'a'), join(source, 'a'))
  }

  function putDirectory (): void {
    nodefs.renameSync(join(source, 'a'), join(root, 'moved'))
    nodefs.renameSync(join(outside, 'a'), join(source, 'a'))
  }

  /** Exchanges it just before a path is opened for the n-th time. */
  function before (below: string, exchange: () => void, n = 1): void {
    let opened = 0
    nodefs.openSync = (...parameters) => {
      if (String(parameters[0]) === join(source, below) && ++opened === n) {
        exchange()
      }

      return openSync(...parameters)
    }
  }

  async function secrets (): Promise<string[]> {
    const found: string[] = []

    for (const path of await paths(fs)) {
      if ((await fs.lstat(path)).kind === 'file' && (await fs.readFile(path, 'utf8')).startsWith('SECRET')) {
        found.push(path)
      }
    }

    return found
  }

  const exchanges: Array<[what: string, exchange: () => void]> = [['a link', putLink], ['another directory', putDirectory]]

  exchanges.forEach(([what, exchange]) => {
    it(`refuses what it read through ${what}`, async () => {
      write('a/b/file', 'mine', 'SECRET')
      before('a/b/file', exchange)

      await expect(importDirectory(fs, source)).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path: join(source, 'a/b/file') })
      expect(await paths(fs)).to.deep.equal([])
    })

    it(`skips only what it read through ${what} if asked to`, async () => {
      write('a/one', 'mine', 'SECRET 1')
      write('a/two', 'mine', 'SECRET 2')
      nodefs.writeFileSync(join(source, 'zzz'), 'mine')
      before('a/two', exchange)
      const { skipped } = await importDirectory(fs, source, { onSourceError: 'skip' })

      expect(skipped.map(({ path, error }) => [path, error.name])).to.deep.equal([[join(source, 'a/one'), 'SourceChangedError'], [join(source, 'a/two'), 'SourceChangedError']])
      expect(await paths(fs)).to.deep.equal(['/a', '/zzz'])
    })

    it(`refuses a large file read through ${what}`, async () => {
      write('a/large', new Uint8Array(3 * mebibyte), Buffer.alloc(3 * mebibyte, 'SECRET'))
      const [mine, secret] = [source, outside].map(directory => join(directory, 'a/large'))
      nodefs.utimesSync(mine, 1, 1)
      nodefs.utimesSync(secret, 1, 1)
      // the first looks at it, the second reads
      before('a/large', exchange)

      await expect(importDirectory(fs, source)).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path: join(source, 'a/large') })
      expect(await paths(fs)).to.deep.equal([])
    })
  })

  it('refuses a large file if a link replaces its directory during the read', async () => {
    write('a/large', new Uint8Array(3 * mebibyte), new Uint8Array(3 * mebibyte))
    const { fstatSync } = nodefs
    const large = nodefs.statSync(join(source, 'a/large')).ino
    let looked = 0

    // whoever reads it last looks whether it has changed
    Object.assign(nodefs, {
      fstatSync (...parameters: Parameters<typeof fstatSync>) {
        if (fstatSync(parameters[0]).ino === large && ++looked === 3) {
          putLink()
        }

        return fstatSync(...parameters)
      }
    })

    try {
      await expect(importDirectory(fs, source)).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path: join(source, 'a/large') })
    } finally {
      Object.assign(nodefs, { fstatSync })
    }

    expect(await paths(fs)).to.deep.equal([])
  })

  it('reads no link target through a link', async () => {
    for (const [directory, to] of [[source, 'mine'], [outside, 'SECRET']]) {
      nodefs.mkdirSync(join(directory, 'a'), { recursive: true })
      nodefs.symlinkSync(to, join(directory, 'a/link'))
    }

    Object.assign(nodefs, {
      readlinkSync (...parameters: Parameters<typeof readlinkSync>) {
        // which files are open is asked by links as well
        if (parameters[0] === join(source, 'a/link')) {
          putLink()
        }

        return readlinkSync(...parameters)
      }
    })

    await expect(importDirectory(fs, source)).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path: join(source, 'a/link') })
    expect(await paths(fs)).to.deep.equal([])
  })

  it('imports no queued files through a link', async () => {
    for (let i = 0; i < 1_000; i++) {
      write(`a/${String(i).padStart(4, '0')}`, 'mine', 'SECRET')
    }

    let isExchanged = false
    const { skipped, files } = await importDirectory(fs, source, {
      onSourceError: 'skip',
      onProgress: () => {
        if (!isExchanged) {
          isExchanged = true
          putLink()
        }
      }
    })

    expect(await secrets()).to.deep.equal([])
    expect(skipped).to.have.lengthOf.above(0)
    expect(files + skipped.length).to.equal(1_000)
  })

  it('lists nothing below a link', async () => {
    write('a/b/file', 'mine', 'SECRET')
    const refused: unknown[] = []

    for (const entry of walkHost(source, { hidden: true, ignore: [], ignoreFiles: [], maxSegments: 9 }, error => { refused.push(error) })) {
      if (entry?.below === 'a/b') {
        putLink()
        await new Promise(resolve => setTimeout(resolve, 30))
      }

      expect(entry?.below).to.be.oneOf(['a', 'a/b'])
    }

    expect(refused).to.have.lengthOf(1)
    expect(refused[0]).to.include({ name: 'SourceChangedError', path: join(source, 'a/b') })
  })

  it('checks few directories for many files', async () => {
    for (let i = 0; i < 1_000; i++) {
      write(`a/b/c/${i}`, 'mine', '')
    }

    const { lstatSync, statSync } = nodefs
    let looks = 0
    Object.assign(nodefs, {
      lstatSync: (...parameters: Parameters<typeof lstatSync>) => { looks++; return lstatSync(...parameters) },
      statSync: (...parameters: Parameters<typeof statSync>) => { looks++; return statSync(...parameters) }
    })

    try {
      await importDirectory(fs, source)
    } finally {
      Object.assign(nodefs, { lstatSync, statSync })
    }

    // once for each of the four in each batch, of which there are eight or a few more, and when they were found
    expect(looks).to.be.within(4, 100)
  })
})
