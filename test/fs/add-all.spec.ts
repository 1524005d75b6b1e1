import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import all from 'it-all'
import { dagfs } from '../../src/index.ts'
import { slowness } from '../slowness.ts'
import { CountingStore } from '../stores.ts'
import type { AddedEntry, DagFs, FileContent } from '../../src/index.ts'
import '../seed.ts'

describe('fs', () => {
  let fs: DagFs

  beforeEach(() => {
    fs = dagfs({ blockstore: new MemoryBlockstore() })
  })

  describe('addAll', () => {
    it('refuses an argument that is not a list of entries', async () => {
      for (const entries of [undefined, null, { path: '/a', content: '' }, '/a']) {
        await expect(fs.addAll(entries as any)).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'entries' })
      }
    })

    const contents: Array<[what: string, content: () => FileContent]> = [
      ['a string', () => 'hello'],
      ['bytes', () => new TextEncoder().encode('hello')],
      ['a Blob', () => new Blob(['hello'])],
      ['a File', () => new File(['hello'], 'a')],
      ['an array of bytes', () => [new TextEncoder().encode('hel'), new TextEncoder().encode('lo')]],
      ['an async generator', () => (async function * () { yield new TextEncoder().encode('hello') })()],
      ['a ReadableStream', () => new Blob(['hello']).stream()]
    ]

    contents.forEach(([what, content]) => {
      it(`accepts ${what} as content`, async () => {
        await fs.addAll([{ path: '/a', content: content() }])

        expect(await fs.readFile('/a', 'utf8')).to.equal('hello')
      })
    })

    it('copies bytes of any class', async () => {
      for (const length of [10, 5_000, 3_000_000]) {
        const own = new Uint8Array(length).fill(1)
        // as node's Buffer, whose slices are no copies
        const content = Object.assign(own.subarray(), { slice: own.subarray.bind(own) })
        await fs.addAll([{ path: '/a', content }])
        own.fill(2)

        expect(await fs.readFile('/a')).to.deep.equal(new Uint8Array(length).fill(1))
      }
    })

    it('returns copies of bytes', async () => {
      for (const length of [10, 5_000]) {
        await fs.addAll([{ path: '/a', content: new Uint8Array(length) }])
        const bytes = await fs.readFile('/a')
        bytes.fill(9)

        expect(await fs.readFile('/a')).to.deep.equal(new Uint8Array(length))
      }
    })

    it('counts added entries', async () => {
      expect(await fs.addAll([
        { path: '/a/b', content: 'four' },
        { path: '/a/c', content: '' },
        { path: '/d', kind: 'directory' },
        { path: '/e', kind: 'symlink', target: 'a' }
      ])).to.deep.equal({ files: 2, directories: 1, symlinks: 1, bytes: 4 })
    })

    it('reports progress for every entry', async () => {
      const told: unknown[] = []
      await fs.addAll([{ path: '/a/b', content: 'four' }, { path: '/d', kind: 'directory' }], { onProgress: ({ type, detail }) => told.push([type, detail]) })

      expect(told).to.deep.equal([
        ['dagfs:add:entry', { path: '/a/b', kind: 'file', size: 4 }],
        ['dagfs:add:entry', { path: '/d', kind: 'directory', size: 0 }]
      ])
    })

    it('gives one root for one set of entries, whatever their order', async () => {
      const name = fc.constantFrom('a', 'b', 'c', 'd', '\uff5e', '\u{1f600}')
      const path = fc.array(name, { minLength: 2, maxLength: 4 }).map(names => `/dir-${names.join('/dir-')}`)
      const files = fc.uniqueArray(path, { maxLength: 40 }).map(paths => paths.map((it): AddedEntry => ({ path: `${it}/file`, content: it.repeat(300) })))

      await fc.assert(fc.asyncProperty(files.chain(entries => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length }))), async ([entries, shuffled]) => {
        const [one, other] = [dagfs({ blockstore: new MemoryBlockstore() }), dagfs({ blockstore: new MemoryBlockstore() }, { draftBytes: 3_000 })]
        await one.addAll(entries)
        await other.addAll(shuffled)

        expect(String((await other.commit()).root)).to.equal(String((await one.commit()).root))
      }), { numRuns: 50 })
    })

    it('replaces files and links, and merges directories', async () => {
      await fs.addAll([{ path: '/a/b', content: 'old' }, { path: '/a/keep', content: 'kept' }, { path: '/l', kind: 'symlink', target: 'old' }])
      await fs.commit()
      await fs.addAll([{ path: '/a/b', kind: 'symlink', target: 'keep' }, { path: '/l', content: 'now a file' }, { path: '/a', kind: 'directory', mode: 0o755 }])

      expect(await fs.readFile('/a/b', 'utf8')).to.equal('kept')
      expect(await fs.readFile('/l', 'utf8')).to.equal('now a file')
      expect(await fs.stat('/a')).to.include({ kind: 'directory', mode: 0o40755 })
    })

    it('keeps the attributes of a merged directory', async () => {
      await fs.addAll([{ path: '/a', kind: 'directory', mode: 0o700 }, { path: '/a/b', content: 'x' }])
      await fs.commit()
      await fs.addAll([{ path: '/a/c', content: 'y' }, { path: '/a', kind: 'directory' }])
      const { root } = await fs.commit()

      expect(await fs.at(root).stat('/a')).to.include({ mode: 0o40700, size: 2 })
    })

    it('keeps the last of several entries at one path', async () => {
      await fs.addAll([{ path: '/a', content: 'first' }, { path: 'a', content: 'last' }])

      expect(await fs.readFile('/a', 'utf8')).to.equal('last')
    })

    const refused: Array<[what: string, entry: unknown, code: string]> = [
      ['a path with ..', { path: '/a/../b', content: '' }, 'EINVAL'],
      ['a path with a NUL', { path: '/a\0', content: '' }, 'EINVAL'],
      ['a path with a lone surrogate', { path: '/\ud800', content: '' }, 'EINVAL'],
      ['a name of 256 bytes', { path: `/${'a'.repeat(256)}`, content: '' }, 'ENAMETOOLONG'],
      ['the empty path', { path: '', content: '' }, 'ENOENT'],
      ['a file as the root', { path: '/', content: '' }, 'EISDIR'],
      ['attributes of the root', { path: '/', kind: 'directory', mode: 0o755 }, 'ENOTSUP'],
      ['a file in the place of a directory', { path: '/dir', content: '' }, 'EISDIR'],
      ['a directory in the place of a file', { path: '/file', kind: 'directory' }, 'EEXIST'],
      ['a file below a file', { path: '/file/a', content: '' }, 'ENOTDIR'],
      ['a file below a link, which is not followed', { path: '/link/a', content: '' }, 'ENOTDIR'],
      ['an empty link target', { path: '/a', kind: 'symlink', target: '' }, 'EINVAL'],
      ['a link target of 4,097 bytes', { path: '/a', kind: 'symlink', target: 'a'.repeat(4097) }, 'EINVAL'],
      ['a mode over 0o7777', { path: '/a', content: '', mode: 0o10000 }, 'EINVAL'],
      ['a time that is no time', { path: '/a', content: '', mtime: new Date(Number.NaN) }, 'EINVAL'],
      ['meta with a float', { path: '/a', content: '', meta: { a: 0.5 } }, 'EINVAL'],
      ['meta of 4,097 bytes', { path: '/a', content: '', meta: { a: 'a'.repeat(4097) } }, 'EINVAL'],
      ['no content', { path: '/a' }, 'EINVAL'],
      ['content that is a number', { path: '/a', content: 5 }, 'EINVAL'],
      ['content of strings', { path: '/a', content: ['a'] }, 'EINVAL']
    ]

    refused.forEach(([what, entry, code]) => {
      it(`refuses ${what} with ${code}, naming the path, and adds nothing`, async () => {
        await fs.addAll([{ path: '/dir/x', content: '' }, { path: '/file', content: '' }, { path: '/link', kind: 'symlink', target: 'dir' }])
        const { root } = await fs.commit()

        await expect(fs.addAll([{ path: '/before', content: 'x' }, entry as AddedEntry])).to.eventually.be.rejected
          .with.include({ name: 'FileSystemError', code, path: (entry as AddedEntry).path })
        expect(String((await fs.commit()).root)).to.equal(String(root))
      })
    })

    it('fails with the error of a content stream', async () => {
      const content = (async function * () {
        yield Uint8Array.of(1)
        throw new Error('connection lost')
      })()

      await expect(fs.addAll([{ path: '/a', content }])).to.eventually.be.rejectedWith('connection lost')
    })

    it('skips a file whose stream fails if asked to', async () => {
      const content = (async function * () {
        yield Uint8Array.of(1)
        throw new Error('connection lost')
      })()
      const skipped: unknown[] = []
      const report = await fs.addAll([{ path: '/a', content }, { path: '/b', content: 'b' }], {
        skip: (error, path) => {
          skipped.push([String(error), path])
          return true
        }
      })

      expect(skipped).to.deep.equal([['Error: connection lost', '/a']])
      expect(report.files).to.equal(1)
      expect((await all(fs.ls())).map(({ name }) => name)).to.deep.equal(['b'])
    })

    it('never skips a file because of a store failure', async () => {
      const store = new CountingStore()
      store.failPutAt = 1

      await expect(dagfs({ blockstore: store }).addAll([{ path: '/a', content: new Uint8Array(5_000) }], { skip: () => true })).to.eventually.be.rejectedWith('the store is full')
    })

    it('puts repeated content once', async () => {
      const store = new CountingStore()
      const counted = dagfs({ blockstore: store })
      await counted.addAll(Array.from({ length: 100 }, (_, i) => ({ path: `/${i}`, content: new Uint8Array(5_000).fill(i % 4) })))

      expect(store.puts).to.equal(4)
    })

    it('puts content again after a commit, since it may have been deleted', async () => {
      const store = new CountingStore()
      const again = dagfs({ blockstore: store })
      const content = new Uint8Array(5_000)
      await again.addAll([{ path: '/a', content }])
      await again.commit()
      store.reset()
      await again.addAll([{ path: '/b', content }])

      expect(store.puts).to.equal(1)
    })

    it('aborts during a stalled stream, and adds nothing', async function () {
      // a machine that others use as well stalls for longer than that now and then
      this.retries(2)
      const controller = new AbortController()
      const content = (async function * (): AsyncGenerator<Uint8Array> {
        yield Uint8Array.of(1)
        await new Promise(() => {})
      })()
      const adding = fs.addAll([{ path: '/a', content: 'done' }, { path: '/b', content }], { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 20)
      const start = performance.now()

      await expect(adding).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      expect(performance.now() - start).to.be.below(120 * slowness())
      expect(await all(fs.ls())).to.deep.equal([])
    })

    it('aborts while it hashes', async function () {
      // a machine that others use as well stalls for longer than that now and then
      this.retries(2)
      const controller = new AbortController()
      const mebibyte = new Uint8Array(2 ** 20)
      const endless = (async function * () {
        for (;;) {
          yield mebibyte
        }
      })()
      const adding = fs.addAll([{ path: '/a', content: endless }], { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 20)
      const start = performance.now()

      await expect(adding).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      expect(performance.now() - start).to.be.below(220 * slowness())
    })
  })
})
