import { decodeRootRecord } from '../../codec/index.ts'
import { heldIn } from '../publish/holders.ts'
import type { Reach } from './reachable.ts'
import type { GcOptions } from './types.ts'
import type { BlockStore } from '../../blockstore/index.ts'
import type { RootStore } from '../../roots/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * What must be kept: all that is published, what everybody holds who has the store open, and what the caller names.
 */
export async function liveRoots (store: BlockStore, roots: RootStore | undefined, { keep = [], signal }: GcOptions): Promise<Reach[]> {
  // held first: a commit that goes on meanwhile has put all its blocks, and holds them until it has published them
  const live: Reach[] = [...heldIn(store), ...Array.from(keep, cid => ({ cid }))]

  for await (const name of roots?.names({ signal }) ?? []) {
    live.push(...published(await roots?.get(name, { signal })))
  }

  return live
}

function published (bytes: Uint8Array | undefined): Reach[] {
  if (bytes === undefined) {
    return []
  }

  const { tree, previous, snapshot } = decodeRootRecord(bytes)

  // what was published before may have been lost already
  return [{ cid: tree }, ...[previous, snapshot].filter((cid): cid is CID => cid !== undefined).map(cid => ({ cid, isOptional: true }))]
}
