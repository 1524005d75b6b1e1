import { CID } from 'multiformats/cid'
import { CustomProgressEvent } from 'progress-events'
import { CidList, blockReader, blockWriter } from '../../blockstore/index.ts'
import { cidKey, cidOf, dagCborCode, isSupportedCid, rawCode } from '../../codec/index.ts'
import { mapAhead } from '../../concurrency.ts'
import { InvalidOptionError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { isOnGarbage, isOurs, unpinBlocks } from '../publish/pins.ts'
import { liveRoots } from './live-roots.ts'
import { pinnedBlocks } from './pinned-blocks.ts'
import { reachable } from './reachable.ts'
import type { GcOptions, GcReport } from './types.ts'
import type { BlockSource, BlockStore } from '../../blockstore/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { RootStore } from '../../roots/index.ts'
import type { DagFsComponents } from '../types.ts'

// as many as blockstores delete at once by themselves where they are given several
const deletesInWork = 32
const blocksBetweenReports = 1000

/** A store that garbage can be collected in. */
type SweepableStore = BlockStore & Required<Pick<BlockStore, 'delete' | 'getAll'>>

/**
 * Deletes the blocks that nothing reaches any more. Nobody in this process puts a block meanwhile. It takes some 100 bytes
 * of memory for each block that is kept, and 33 for each that is deleted.
 *
 * @throws {InvalidOptionError} where the store cannot list or delete blocks
 * @throws {MissingBlockError} where something that is to be kept lacks a block; nothing was deleted
 */
export async function collectGarbage (components: DagFsComponents, roots: RootStore | undefined, options: GcOptions): Promise<GcReport> {
  const store = sweepable(components.blockstore)

  return blockWriter(store).alone(async () => {
    await pace(options)
    const live = await mark(components, roots, options)
    const { garbage, kept, bytes } = await sort(store, live, options)
    await sweep(store, components, garbage, live.size, options)

    return { blocks: kept + garbage.length, kept, deleted: garbage.length, bytes }
  }, options)
}

function sweepable (store: BlockStore): SweepableStore {
  if (store.delete === undefined || store.getAll === undefined) {
    throw new InvalidOptionError('blockstore', 'must have `delete` and `getAll` for garbage collection')
  }

  return store as SweepableStore
}

/** The keys of all blocks that are needed. */
async function mark (components: DagFsComponents, roots: RootStore | undefined, options: GcOptions): Promise<Set<string>> {
  const { blockstore, pins } = components
  const { signal } = options
  // what is not there must not be fetched from a network, which a Helia node would do
  const local: BlockSource = { get: (cid, getOptions) => blockstore.get(cid, { ...getOptions, offline: true } as AbortOptions) }
  const pinned = pins === undefined ? [] : await all(pins.ls({ signal }))
  const live = new Set<string>()
  const ours = [...await liveRoots(blockstore, roots, options), ...pinned.filter(isOurs).map(({ cid }) => ({ cid, isOptional: true, isLenient: true }))]

  for await (const cid of reachable(blockstore, blockReader(local), ours, { signal, seen: live })) {
    report(live.size, options)
    void cid
  }

  for (const pin of pinned.filter(found => !isOurs(found) && !isOnGarbage(found))) {
    for await (const cid of pinnedBlocks(components, local, pin, { signal })) {
      // whatever codec it has: stores that lose codecs give it back as raw
      live.add(cidKey(cidOf(rawCode, cid.multihash.digest)))
    }
  }

  return live
}

async function all <T> (items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []

  for await (const item of items) {
    list.push(item)
  }

  return list
}

function report (live: number, options: GcOptions): void {
  if (live % blocksBetweenReports === 0) {
    options.onProgress?.(new CustomProgressEvent('dagfs:gc', { live, deleted: 0 }))
  }
}

/** Finds what is in the store and not needed. Nothing is deleted yet: some stores lock while they list. */
async function sort (store: SweepableStore, live: ReadonlySet<string>, { signal }: GcOptions): Promise<{ garbage: CidList, kept: number, bytes: number }> {
  const garbage = new CidList()
  let kept = 0
  let bytes = 0

  for await (const { cid, bytes: pieces } of store.getAll({ signal })) {
    await pace({ signal })

    if (isLive(cid, live)) {
      kept++
      continue
    }

    garbage.push(cid)

    for await (const piece of pieces) {
      bytes += piece.byteLength
    }
  }

  return { garbage, kept, bytes }
}

/**
 * Stores that know blocks by their hash give back any codec, or the hash alone, which is a CID of version 0. What is not of
 * the format is not ours to delete.
 */
function isLive (cid: CID, live: ReadonlySet<string>): boolean {
  if (!isSupportedCid(cid.version === 0 ? CID.createV1(rawCode, cid.multihash) : cid)) {
    return true
  }

  return ([rawCode, dagCborCode] as const).some(code => live.has(cidKey(cidOf(code, cid.multihash.digest))))
}

async function sweep (store: SweepableStore, { pins }: DagFsComponents, garbage: CidList, live: number, options: GcOptions): Promise<void> {
  const { signal } = options
  let deleted = 0

  const remove = async (cid: CID): Promise<void> => {
    await pace({ signal })

    if (pins !== undefined) {
      await unpinBlocks(pins, [cid], { signal })
    }

    await store.delete(cid, { signal })
  }

  for await (const removed of mapAhead(garbage, deletesInWork, remove)) {
    void removed
    deleted++

    if (deleted % blocksBetweenReports === 0 || deleted === garbage.length) {
      options.onProgress?.(new CustomProgressEvent('dagfs:gc', { live, deleted }))
    }
  }
}
