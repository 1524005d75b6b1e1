import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import { hostFiles } from '../../src/pack/files/files.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { block, blocks, bytesOf, putAll, readBlock } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { DagFs } from '../../src/index.ts'
import type { Files } from '../../src/pack/files/files.ts'
import type { InternalOptions } from '../../src/pack/options.ts'

/** What a program was promised */
export interface Promised {
  /** The last root that was answered for: its number */
  acknowledged: number
  /** The last root that may have been published, though nobody said so */
  attempted: number
}

/**
 * What a program does with a pack store while something goes wrong, and what must hold afterwards. Its roots are numbers,
 * and each says what must be in the store with it.
 */
export interface Workload {
  /** What is there before anything goes wrong */
  prepare?(files: Files, directory: string): Promise<void>
  run(files: Files, directory: string, promised: Promised): Promise<void>
  /** Opens what is left, holds it against what was promised, and goes on with it. */
  check(files: Files, directory: string, promised: Promised): Promise<void>
}

const options: InternalOptions = { segmentBytes: 6_000, recordAfterMs: 100_000 }

// so that blocks between two records are written in several pieces, and the disk begins with them before a commit
const smallPieces: InternalOptions = { pieceBytes: 4_096, earlySyncBytes: 4_096 }

async function withPack <T> (files: Files, directory: string, work: (store: PackBlockstore) => Promise<T>, more: InternalOptions = {}): Promise<T> {
  const store = new PackBlockstore(directory, { ...options, ...more, files })
  await store.open()

  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function expectWhole (store: PackBlockstore, files: Files, directory: string): Promise<void> {
  expect((await store.verify()).problems).to.deep.equal([])
  const names = await files.list(directory)
  expect(names.filter(name => name.endsWith('.tmp'))).to.deep.equal([])
}

/** The blocks that a root of a number needs */
async function blocksOfRoot (root: number): Promise<TestBlock[]> {
  return blocks(root * 4, 400)
}

async function rootOf (store: PackBlockstore): Promise<number> {
  return (await store.roots.get('main'))?.[0] ?? 0
}

async function publishNext (store: PackBlockstore, promised: Promised): Promise<void> {
  promised.acknowledged = await attemptNext(store, promised)
}

/** Publishes the next root, and answers its number. */
async function attemptNext (store: PackBlockstore, promised: Promised): Promise<number> {
  const before = await rootOf(store)
  const root = before + 1
  const garbage = await blocks(2, 300, 10_000 + root * 2)

  await putAll(store, [...garbage, ...(await blocksOfRoot(root)).slice(-4)])
  await store.delete(garbage[0].cid)
  promised.attempted = root
  expect(await store.roots.compareAndSet('main', before === 0 ? undefined : Uint8Array.of(before), Uint8Array.of(root))).to.equal(true)

  return root
}

async function checkRoots (files: Files, directory: string, { acknowledged, attempted }: Promised): Promise<void> {
  await withPack(files, directory, async store => {
    const root = await rootOf(store)
    expect(root).to.be.within(acknowledged, attempted)

    for (const { cid, bytes } of await blocksOfRoot(root)) {
      expect(Buffer.compare(await readBlock(store, cid), bytes), `block of root ${root}`).to.equal(0)
    }

    await expectWhole(store, files, directory)
    await publishNext(store, { acknowledged: root, attempted: root })
  })
}

/** Roots one after the other, through several segments and two sessions */
const publish: Workload = {
  async run (files, directory, promised) {
    for (let session = 0; session < 2; session++) {
      await withPack(files, directory, async store => {
        for (let i = 0; i < 5; i++) {
          await publishNext(store, promised)
        }
      })
    }
  },
  check: checkRoots
}

/** Roots that are not synced: what is promised is what `sync()` or `close()` has answered for */
const unsynced: Workload = {
  async run (files, directory, promised) {
    for (let session = 0; session < 2; session++) {
      await withPack(files, directory, async store => {
        for (let i = 0; i < 5; i++) {
          const root = await attemptNext(store, promised)

          if (i === 2) {
            await store.sync()
            promised.acknowledged = root
          }
        }
      }, { durability: 'none' })
      promised.acknowledged = promised.attempted
    }
  },
  check: checkRoots
}

/** Roots, and between them deletions, garbage collection and compaction */
const collect: Workload = {
  async run (files, directory, promised) {
    for (let session = 0; session < 2; session++) {
      await withPack(files, directory, async store => {
        for (let i = 0; i < 4; i++) {
          await publishNext(store, promised)
        }

        const live = await blocksOfRoot(await rootOf(store))
        await store.gc({ roots: live.map(({ cid }) => cid), links: () => [] })
        await publishNext(store, promised)
        await store.compact()
      })
    }
  },
  check: checkRoots
}

/** What a filesystem of a number holds: all numbers up to it have left something */
function entriesOf (root: number): Array<{ readonly path: string, readonly content: Uint8Array }> {
  return [
    { path: '/number', content: new TextEncoder().encode(String(root)) },
    { path: `/${root % 3}/file-${root}`, content: bytesOf(root, 3_000) },
    { path: '/last', content: bytesOf(root, 9_000) }
  ]
}

function openFs (store: PackBlockstore): DagFs {
  return dagfs({ blockstore: store }, { name: 'site', roots: store.roots, draftBytes: 2_000 })
}

async function numberOf (fs: DagFs): Promise<number> {
  return await fs.exists('/number') ? Number(await fs.readFile('/number', 'utf8')) : 0
}

async function commitNext (fs: DagFs, promised: Promised): Promise<void> {
  const root = await numberOf(fs) + 1
  await fs.addAll(entriesOf(root))
  promised.attempted = root
  await (root % 2 === 0 ? fs.snapshot() : fs.commit())
  promised.acknowledged = root
}

/** Commits and snapshots of a filesystem, whose draft is stored bit by bit, and its garbage collection */
const files: Workload = {
  async run (files, directory, promised) {
    await withPack(files, directory, async store => {
      const fs = openFs(store)

      for (let i = 0; i < 5; i++) {
        await commitNext(fs, promised)
      }

      await fs.gc()
      await commitNext(fs, promised)
    }, smallPieces)
  },

  async check (files, directory, { acknowledged, attempted }) {
    await withPack(files, directory, async store => {
      const fs = openFs(store)
      const root = await numberOf(fs)
      expect(root).to.be.within(acknowledged, attempted)
      const expected = new Map(Array.from({ length: root }, (_, i) => entriesOf(i + 1)).flat().map(({ path, content }) => [path, content]))

      for (const [path, content] of expected) {
        const found = await fs.readFile(path)
        expect(Buffer.compare(found, content), `${path} of ${root}`).to.equal(0)
      }

      await expectWhole(store, files, directory)
      await commitNext(fs, { acknowledged: root, attempted: root })
    })
  }
}

const batchBlocks = 6

async function batchOf (root: number): Promise<TestBlock[]> {
  return blocks(batchBlocks, 500, root * batchBlocks)
}

/** A plain store of blocks that nobody publishes roots in: what is promised is what `sync()` has answered for */
const plain: Workload = {
  async run (files, directory, promised) {
    for (let session = 0; session < 2; session++) {
      await withPack(files, directory, async store => {
        for (let i = 0; i < 4; i++) {
          // what was attempted and not acknowledged may be there in part: it is put again
          const batch = promised.acknowledged + 1
          promised.attempted = batch

          for await (const cid of store.putMany(await batchOf(batch))) {
            expect(await store.has(cid)).to.equal(true)
          }

          await store.delete((await batchOf(batch))[0].cid)
          await store.sync()
          promised.acknowledged = batch
        }
      }, { durability: 'none' })
    }
  },

  async check (files, directory, { acknowledged, attempted }) {
    await withPack(files, directory, async store => {
      for (let batch = 1; batch <= attempted; batch++) {
        for (const { cid, bytes } of (await batchOf(batch)).slice(1)) {
          if (batch <= acknowledged || await store.has(cid)) {
            expect(Buffer.compare(await readBlock(store, cid), bytes), `block of batch ${batch}`).to.equal(0)
          }
        }
      }

      await expectWhole(store, files, directory)
    })
  }
}

/** The blocks of a root that are put at once: several pieces, and one of them is hashed in the thread pool */
async function manyOfRoot (root: number): Promise<TestBlock[]> {
  return [...await blocks(8, 3_000, 20_000 + root * 8), await block(bytesOf(30_000 + root, 2 ** 18 + 1_000)), ...await blocks(8, 2_000, 40_000 + root * 8)]
}

async function publishMany (store: PackBlockstore, promised: Promised): Promise<void> {
  const root = await rootOf(store) + 1
  await Promise.all((await manyOfRoot(root)).map(async ({ cid, bytes }) => store.put(cid, bytes)))
  promised.attempted = root
  expect(await store.roots.compareAndSet('main', root === 1 ? undefined : Uint8Array.of(root - 1), Uint8Array.of(root))).to.equal(true)
  promised.acknowledged = root
}

const largeSegments: InternalOptions = { segmentBytes: 500_000, pieceBytes: 16_384, earlySyncBytes: 40_000 }

/** Roots with much between them, so that whoever puts has to wait for what is written already */
const many: Workload = {
  async run (files, directory, promised) {
    await withPack(files, directory, async store => {
      for (let i = 0; i < 3; i++) {
        // what a failed write did not take is written by the next attempt
        await publishMany(store, promised).catch(async () => publishMany(store, promised))
      }
    }, largeSegments)
  },

  async check (files, directory, { acknowledged, attempted }) {
    await withPack(files, directory, async store => {
      const last = await rootOf(store)
      expect(last).to.be.within(acknowledged, attempted)

      for (let root = 1; root <= last; root++) {
        for (const { cid, bytes } of await manyOfRoot(root)) {
          expect(Buffer.compare(await readBlock(store, cid), bytes), `block of root ${root}`).to.equal(0)
        }
      }

      await expectWhole(store, files, directory)
      await publishMany(store, { acknowledged: last, attempted: last })
    }, largeSegments)
  }
}

const damagedBlocks = 40

async function healthySource (): Promise<{ put: TestBlock[], source: MemoryBlockstore }> {
  const put = await blocks(damagedBlocks, 400)
  const source = new MemoryBlockstore()
  put.forEach(({ cid, bytes }) => { source.put(cid, bytes) })

  return { put, source }
}

/** Healing a store out of another one, and going on with it */
const repair: Workload = {
  async prepare (files, directory) {
    const { put } = await healthySource()
    await withPack(files, directory, async store => putAll(store, put))

    for (const [name, position] of [['segment-00000001.car', 900], ['segment-00000002.car', 2_000]] as const) {
      const file = await files.open(`${directory}/${name}`, 'write')
      await file.write(new Uint8Array(60), position)
      await file.close()
    }
  },

  async run (files, directory, promised) {
    await withPack(files, directory, async store => {
      await store.verify({ heal: (await healthySource()).source })
      expect((await store.verify()).problems).to.deep.equal([])
      await publishNext(store, promised)
    })
  },

  async check (files, directory, promised) {
    await withPack(files, directory, async store => {
      const { put, source } = await healthySource()
      await store.verify({ heal: source })

      for (const { cid, bytes } of put) {
        expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
      }
    })
    await checkRoots(files, directory, promised)
  }
}

export const workloads: Readonly<Record<string, Workload>> = { publish, unsynced, collect, files, plain, many, repair }

/** Makes what a workload finds, on the disk. */
export async function prepareOnDisk ({ prepare }: Workload, directory: string): Promise<void> {
  await prepare?.(hostFiles, directory)
}
