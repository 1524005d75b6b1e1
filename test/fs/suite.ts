import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { createBlock, dagCborCode, encodeSnapshot } from '../../src/codec/index.ts'
import { dagfs } from '../../src/index.ts'
import type { AddedEntry, BlockStore, DagFs } from '../../src/index.ts'

/** A store that is open, and how it is closed and removed. */
export interface OpenStore {
  readonly blockstore: BlockStore
  close(): Promise<void> | void
}

function bytes (length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 17 + (i >> 8)) % 256)
}

/** Every form that an entry can have, and a directory of several blocks. */
function tree (): AddedEntry[] {
  return [
    { path: '/empty', content: '' },
    { path: '/inlined.txt', content: 'hello', mode: 0o644, mtime: [1_700_000_000, 5] },
    { path: '/raw.bin', content: bytes(5_000, 1) },
    { path: '/large.bin', content: bytes(2_500_000, 2), mtime: new Date(-1) },
    { path: '/nothing', kind: 'directory', mode: 0o700 },
    { path: '/link', kind: 'symlink', target: 'a/b/c/deep.txt' },
    { path: '/a/b/c/deep.txt', content: 'deep', meta: { author: 'ü', tags: ['x', 1, true], raw: Uint8Array.of(1) } },
    { path: '/a/\ufeffmark', content: bytes(3_000, 3) },
    { path: '/a/\u{1f600}', content: 'after \uff5e' },
    { path: '/a/\uff5e', content: 'before \u{1f600}' },
    ...Array.from({ length: 1_500 }, (_, i): AddedEntry => ({ path: `/many/${i}.txt`, content: `${i}`.repeat(i % 40) }))
  ]
}

const treeRoot = 'bafyreiea2snw542hcdnpqmjg737whv6ncc5532iblidxz33cvoi6dsmmee'
const snapshotCid = 'bafyreifpp7ckuihgcfrrjvhybu7cmq2iybpgkjleahckxrwftx3wesm5sy'
const emptyRoot = 'bafyreighdfsb42ymnoef4uxvdxr6xga52mzafc7s67kgdpc4pg24suxwuy'

/**
 * What holds for the filesystem on every store.
 */
export function fileSystemSuite (name: string, open: () => Promise<OpenStore> | OpenStore): void {
  describe(`fs on ${name}`, () => {
    let store: OpenStore
    let fs: DagFs

    before(async () => {
      store = await open()
      fs = dagfs(store)
      await fs.addAll(tree())
    })

    after(async () => {
      await store.close()
    })

    it('gives the same root as on every other store', async () => {
      expect(String((await fs.commit()).root)).to.equal(treeRoot)
    })

    it('gives the same root again, from another handle and in another order', async () => {
      const other = dagfs(store)
      await other.addAll(tree().reverse())

      expect(String((await other.commit()).root)).to.equal(treeRoot)
    })

    it('gives the same root if part of the tree was committed before', async () => {
      const other = dagfs(store)
      const entries = tree()
      await other.addAll(entries.slice(0, 700))
      const { root } = await other.commit()
      const continued = dagfs(store, { root })
      await continued.addAll(entries.slice(700))

      expect(String((await continued.commit()).root)).to.equal(treeRoot)
    })

    it('gives the same root if the draft is stored in parts', async () => {
      const other = dagfs(store, { draftBytes: 20_000 })
      await other.addAll(tree())

      expect(String((await other.commit()).root)).to.equal(treeRoot)
    })

    it('commits an empty directory', async () => {
      expect(String((await dagfs(store).commit()).root)).to.equal(emptyRoot)
    })

    it('reads back every file', async () => {
      const { root } = await fs.commit()

      for (const view of [fs, fs.at(root), dagfs(store, { root })]) {
        for (const entry of tree()) {
          if ('content' in entry && entry.content instanceof Uint8Array) {
            expect(await view.readFile(entry.path)).to.deep.equal(entry.content)
          } else if ('content' in entry) {
            expect(await view.readFile(entry.path, 'utf8')).to.equal(entry.content)
          }
        }
      }
    })

    it('reads a range of a file', async () => {
      const pieces = await all(fs.cat('/large.bin', { offset: 1_048_570, length: 12 }))

      expect(Uint8Array.from(pieces.flatMap(piece => [...piece]))).to.deep.equal(bytes(2_500_000, 2).slice(1_048_570, 1_048_582))
    })

    it('lists a directory in order, with metadata', async () => {
      const listed = await all(fs.ls('/'))

      expect(listed.map(entry => entry.path)).to.deep.equal(['/a', '/empty', '/inlined.txt', '/large.bin', '/link', '/many', '/nothing', '/raw.bin'])
      expect(listed[2]).to.deep.equal({ path: '/inlined.txt', name: 'inlined.txt', kind: 'file', size: 5, mode: 0o644, mtime: [1_700_000_000, 5] })
      expect(listed[3]).to.deep.include({ size: 2_500_000, mtime: [-1, 999_000_000] })
      expect(listed[4]).to.deep.equal({ path: '/link', name: 'link', kind: 'symlink', size: 14, target: 'a/b/c/deep.txt' })
      expect(listed[6]).to.deep.include({ kind: 'directory', size: 0, mode: 0o700 })
    })

    it('lists names in the order of their UTF-8 bytes', async () => {
      expect((await all(fs.ls('/a'))).map(entry => entry.name)).to.deep.equal(['b', '\ufeffmark', '\uff5e', '\u{1f600}'])
    })

    it('lists a large directory page by page', async () => {
      const names: string[] = []

      for (let page = await all(fs.ls('/many', { limit: 400 })); page.length > 0; page = await all(fs.ls('/many', { after: names[names.length - 1], limit: 400 }))) {
        names.push(...page.map(entry => entry.name))
      }

      expect(names).to.deep.equal(Array.from({ length: 1_500 }, (_, i) => `${i}.txt`).sort())
    })

    it('walks the tree, each directory before its entries', async () => {
      const walked = await all(fs.walk())
      const expected = tree().map(({ path }) => path)

      expect(walked.map(entry => entry.path)).to.include.members(expected)
      expect(walked).to.have.lengthOf(expected.length + 4)
      expect(walked.slice(0, 4).map(entry => entry.path)).to.deep.equal(['/a', '/a/b', '/a/b/c', '/a/b/c/deep.txt'])
    })

    it('keeps the attributes of a file', async () => {
      expect((await fs.stat('/a/b/c/deep.txt')).attributes?.meta).to.deep.equal({ author: 'ü', tags: ['x', 1, true], raw: Uint8Array.of(1) })
    })

    it('sums the sizes of all files below a directory', async () => {
      const below = (await all(fs.walk('/many'))).reduce((sum, entry) => sum + entry.size, 0)

      expect((await fs.stat('/many')).size).to.equal(below)
    })

    it('gives the same snapshots as on every other store, and logs them', async () => {
      const own = dagfs(store)
      await own.addAll(tree())
      await own.snapshot({ message: 'all of it', time: [1_700_000_000, 0], attributes: { mode: 0o755 } })
      await own.addAll([{ path: '/empty', content: 'no more' }])
      const { cid } = await own.snapshot({ message: 'one changed' })

      expect(String(cid)).to.equal(snapshotCid)
      expect((await all(dagfs(store).log(cid))).map(({ message, generation, missing }) => [message, generation, missing.length])).to.deep.equal([['one changed', 1, 0], ['all of it', 0, 0]])
      expect((await own.at(cid).stat('/')).attributes).to.deep.equal({ mode: 0o755 })
    })

    it('reports where the stored history ends', async () => {
      const own = dagfs(store)
      const { tree: root } = await own.snapshot()
      const elsewhere = dagfs({ blockstore: new MemoryBlockstore() })
      const parent = await elsewhere.snapshot({ message: `not in ${name}` })
      const block = await createBlock(dagCborCode, encodeSnapshot({ tree: root, parents: [parent.cid], generation: 1 }))
      await store.blockstore.put(block.cid, block.bytes)
      const log = await all(own.log(block.cid))

      expect(log.map(({ missing }) => missing.map(String))).to.deep.equal([[String(parent.cid)]])
    })

    it('lists differences, and merges them', async () => {
      const { root } = await fs.commit()
      const [ours, theirs] = [dagfs(store, { root }), dagfs(store, { root })]
      await ours.addAll([{ path: '/many/7.txt', content: 'ours' }, { path: '/a/new', content: 'ours' }])
      await theirs.addAll([{ path: '/many/8.txt', content: 'theirs' }, { path: '/large.bin', content: bytes(2_500_001, 9) }])
      const { root: theirRoot } = await theirs.commit()
      await ours.merge(theirRoot, { base: root })
      const changes = await all(ours.diff(root))

      expect(changes.map(({ kind, path }) => `${kind} ${path}`)).to.deep.equal(['added /a/new', 'changed /large.bin', 'changed /many/7.txt', 'changed /many/8.txt'])
      expect(await ours.readFile('/large.bin')).to.deep.equal(bytes(2_500_001, 9))
    })

    it('keeps both sides of a conflict', async () => {
      const { root } = await fs.commit()
      const [ours, theirs] = [dagfs(store, { root }), dagfs(store, { root })]
      await ours.addAll([{ path: '/raw.bin', content: bytes(6_000, 4) }])
      await theirs.addAll([{ path: '/raw.bin', content: bytes(7_000, 5) }])
      const { root: theirRoot } = await theirs.commit()

      await expect(ours.merge(theirRoot, { base: root })).to.eventually.be.rejected.with.property('name', 'MergeConflictError')
      await ours.merge(theirRoot, { base: root, strategy: 'both' })
      expect((await all(ours.ls('/'))).filter(entry => entry.name.startsWith('raw~')).map(({ size }) => size).sort()).to.deep.equal([6_000, 7_000])
    })

    describe('edited by path', () => {
      let edited: DagFs

      beforeEach(async () => {
        edited = dagfs(store, { root: (await fs.commit()).root, draftBytes: 50_000 })
      })

      it('gives the root of the tree once all edits are undone', async () => {
        await edited.rename('/many', '/moved')
        await edited.writeFile('/moved/new.txt', 'new')
        await edited.cp('/a', '/copy', { recursive: true })
        await edited.commit()
        await edited.rm('/copy', { recursive: true })
        await edited.unlink('/moved/new.txt')
        await edited.rename('/moved', '/many')

        expect(String((await edited.commit()).root)).to.equal(treeRoot)
      })

      it('writes amid a large file as a fresh file has it', async () => {
        const expected = bytes(2_500_000, 2)
        expected.fill(7, 1_048_000, 1_049_000)

        {
          await using handle = await edited.open('/large.bin', 'r+')
          await handle.write(new Uint8Array(1_000).fill(7), 0, 1_000, 1_048_000)
        }

        expect(await edited.readFile('/large.bin')).to.deep.equal(expected)
        await edited.addAll([{ path: '/fresh.bin', content: expected }])
        await edited.commit()
        expect(String((await edited.stat('/large.bin')).cid)).to.equal(String((await edited.stat('/fresh.bin')).cid))
      })

      it('appends, truncates and extends', async () => {
        await edited.appendFile('/raw.bin', 'more')
        await edited.truncate('/large.bin', 1_048_577)
        await edited.truncate('/inlined.txt', 3_000)
        const { root } = await edited.commit()
        const view = edited.at(root)

        expect(await view.readFile('/raw.bin')).to.deep.equal(Uint8Array.from([...bytes(5_000, 1), ...new TextEncoder().encode('more')]))
        expect(await view.readFile('/large.bin')).to.deep.equal(bytes(2_500_000, 2).slice(0, 1_048_577))
        expect((await view.readFile('/inlined.txt', 'utf8')).replaceAll('\0', '')).to.equal('hello')
      })

      it('lists, removes and creates directories', async () => {
        expect(await edited.readdir('/a')).to.deep.equal(['b', '\ufeffmark', '\uff5e', '\u{1f600}'])
        await edited.rm('/a', { recursive: true })
        await edited.mkdir('/a/x/y', { recursive: true })
        await edited.symlink('x/y', '/a/link')
        await edited.commit()

        expect(await edited.readdir('/a', { recursive: true })).to.deep.equal(['link', 'x', 'x/y'])
        expect(await edited.realpath('/a/link')).to.equal('/a/x/y')
        await expect(edited.rmdir('/a/x')).to.eventually.be.rejected.with.property('code', 'ENOTEMPTY')
      })
    })
  })
}
