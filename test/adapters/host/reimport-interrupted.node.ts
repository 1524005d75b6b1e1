import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../../src/index.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { memoryFs, paths } from './host.ts'
import { RecordedSource } from './recorded-source.ts'
import type { DagFs } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'

describe('adapters/host/reimport', () => {
  let given: RecordedSource
  let root: string
  let source: string
  let record: string
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    given = new RecordedSource();
    ({ root, source, record, blockstore, fs } = given)
  })

  afterEach(() => {
    given.remove()
  })

  describe('with missing blocks of the recorded tree', () => {
    it('reads everything into another store', async () => {
      given.writeSome()
      await given.later()
      const other = memoryFs()

      expect((await given.later({}, other)).unread).to.equal(0)
      expect(await given.rootOf(other)).to.equal(await given.coldRoot())
    })

    it('reads only files that lack a block', async () => {
      given.writeSome()
      await given.later({ to: '/a' })
      await fs.commit()
      const leaves = await blocksBelow('/a/large')
      const directory = (await fs.stat('/a/a/b')).cid as CID
      const fresh = dagfs({ blockstore })

      await blockstore.delete(leaves[0])
      expect((await given.later({ to: '/b' }, fresh)).unread, 'a chunk of a large file').to.equal(2)
      expect(await allBytes(fresh)).to.equal(3 * 2 ** 20 + 5_003)

      await blockstore.delete(directory)
      // another store to dagfs: filesystems on one share what was read
      const another = dagfs({ blockstore: Object.create(blockstore) })
      expect((await given.later({ to: '/c' }, another)).unread, 'a directory').to.equal(2)
      expect(await allBytes(another)).to.equal(3 * 2 ** 20 + 5_003)
    })

    it('reads what garbage collection has deleted', async () => {
      given.writeSome()
      const name = dagfs({ blockstore })
      await given.later({}, name)
      await fs.addAll([{ path: '/x', content: 'x' }])
      await fs.commit()
      // nobody holds what was imported: it is in another filesystem that is let go of
      for await (const { cid } of blockstore.getAll()) {
        await blockstore.delete(cid)
      }

      const fresh = dagfs({ blockstore })
      expect((await given.later({}, fresh)).unread).to.equal(0)
      expect(await allBytes(fresh)).to.equal(3 * 2 ** 20 + 5_003)
    })

    async function blocksBelow (path: string): Promise<CID[]> {
      const { links } = await import('../../../src/codec/index.ts')
      const { blockReader } = await import('../../../src/blockstore/index.ts')
      const { cid } = await fs.stat(path)

      return links(await blockReader(blockstore).get(cid as CID))
    }

    async function allBytes (of: DagFs): Promise<number> {
      const { root: cid } = await of.commit()
      const stored = dagfs({ blockstore }, { root: cid })
      let bytes = 0

      for await (const { path, kind } of stored.walk()) {
        bytes += kind === 'file' ? (await stored.readFile(path)).byteLength : 0
      }

      return bytes
    }
  })

  describe('after an interruption', () => {
    it('resumes', async () => {
      for (let i = 0; i < 200; i++) {
        given.write(`${i % 10}/${i}`, `${i}`.repeat(1_000))
      }

      const controller = new AbortController()
      let entries = 0
      const onProgress = (): void => {
        entries++

        if (entries === 120) {
          controller.abort(new Error('enough'))
        }
      }

      await expect(given.later({ recordEveryMs: 0, signal: controller.signal, onProgress })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      expect(await paths(fs)).to.deep.equal([])
      const { unread } = await given.later()

      expect(unread).to.be.above(80)
      expect(await given.rootOf()).to.equal(await given.coldRoot())
    })

    it('resumes after its process was killed, in the pack store', async () => {
      for (let i = 0; i < 200; i++) {
        given.write(`${i % 10}/${i}`, `${i}`.repeat(1_000))
      }

      const { signal } = importAndDie(source, join(root, 'pack'), record, 150)
      expect(signal).to.equal('SIGKILL')
      const store = new PackBlockstore(join(root, 'pack'))
      await store.open()

      try {
        const again = dagfs({ blockstore: store })
        const { unread } = await given.later({}, again)
        expect(unread).to.be.above(80)
        expect(await given.rootOf(again)).to.equal(await given.coldRoot())
        expect((await again.readFile('/7/7', 'utf8')).length).to.equal(1_000)
      } finally {
        await store.close()
      }
    }).timeout(60_000)
  })
})

/** Imports into a pack store in a process that kills itself after as many entries. */
function importAndDie (source: string, store: string, record: string, entries: number): { signal: string | null } {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const modules = ['../../../src/index', '../../../src/adapters/host/index', '../../../src/pack/index', './host'].map(name => new URL(`${name}${extension}`, import.meta.url).href)
  const script = `
    const [{ dagfs }, { importDirectory }, { PackBlockstore }, { inAnHour }] = await Promise.all(${JSON.stringify(modules)}.map(module => import(module)))
    const blockstore = new PackBlockstore(${JSON.stringify(store)})
    await blockstore.open()
    let entries = 0
    await inAnHour(async () => importDirectory(dagfs({ blockstore }), ${JSON.stringify(source)}, {
      record: ${JSON.stringify(record)},
      recordEveryMs: 0,
      onProgress: () => { if (++entries === ${entries}) process.kill(process.pid, 'SIGKILL') }
    }))
  `

  return spawnSync(process.execPath, ['--input-type=module', '--eval', script])
}
