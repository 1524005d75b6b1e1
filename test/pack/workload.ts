import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../src/pack/index.ts'
import { blocks, readBlock } from './stores.ts'
import type { FaultyFiles } from './faulty-files.ts'
import type { TestBlock } from './stores.ts'

const options = { segmentBytes: 6_000, recordAfterMs: 100_000 }

/** What a program was promised */
export interface Promised {
  /** The last root that was answered for: its number */
  acknowledged: number
  /** The last root that may have been published, though nobody said so */
  attempted: number
}

/** The blocks that a root needs: all put before it, but for those that were deleted */
export async function blocksOfRoot (root: number): Promise<TestBlock[]> {
  return blocks(root * 4, 400)
}

/**
 * Publishes roots, each with four blocks more, deletes what no root needs, collects garbage, and opens the store again
 * and again.
 */
export async function work (files: FaultyFiles, directory: string, promised: Promised): Promise<void> {
  for (let session = 0; session < 2; session++) {
    const store = new PackBlockstore(directory, { ...options, files })
    await store.open()

    try {
      for (let i = 0; i < 4; i++) {
        await publishNext(store, promised)
      }

      const live = await blocksOfRoot(promised.acknowledged)
      await store.gc({ roots: live.map(({ cid }) => cid), links: () => [] })
      await publishNext(store, promised)
    } finally {
      await store.close()
    }
  }
}

async function publishNext (store: PackBlockstore, promised: Promised): Promise<void> {
  const root = promised.acknowledged + 1
  const garbage = await blocks(2, 300, 10_000 + root * 2)

  for (const { cid, bytes } of [...garbage, ...(await blocksOfRoot(root)).slice(-4)]) {
    await store.put(cid, bytes)
  }

  await store.delete(garbage[0].cid)
  const expected = await store.roots.get('main')
  promised.attempted = root
  expect(await store.roots.compareAndSet('main', expected, Uint8Array.of(root))).to.equal(true)
  promised.acknowledged = root
}

/** Opens what is left and holds it against what was promised. */
export async function check (files: FaultyFiles, directory: string, { acknowledged, attempted }: Promised): Promise<void> {
  const store = new PackBlockstore(directory, { ...options, files })
  await store.open()

  try {
    const root = (await store.roots.get('main'))?.[0] ?? 0
    expect(root).to.be.within(acknowledged, attempted)

    for (const { cid, bytes } of await blocksOfRoot(root)) {
      expect(Buffer.compare(await readBlock(store, cid), bytes), `block of root ${root}`).to.equal(0)
    }

    expect((await store.verify()).problems).to.deep.equal([])
    expect([...files.contents().keys()].filter(path => path.endsWith('.tmp'))).to.deep.equal([])
    // it can be gone on with
    await publishNext(store, { acknowledged: root, attempted: root })
  } finally {
    await store.close()
  }
}

/** SQLite writes by itself, so the index stands in a directory of its own. */
export async function withIndexDirectory (work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'dagfs-pack-index-'))

  try {
    await work(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}
