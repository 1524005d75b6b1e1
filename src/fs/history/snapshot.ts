import { decodeSnapshot, isSnapshot } from '../../codec/index.ts'
import { InvalidNodeError } from '../../errors.ts'
import { openRoot } from '../../tree/index.ts'
import type { SnapshotInfo } from './types.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { Snapshot } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeDirectory } from '../../tree/index.ts'
import type { CID } from 'multiformats/cid'

/** A tree that can be looked into, and the snapshot that it was opened by, if it was. */
export interface Version {
  readonly root: TreeDirectory & { readonly cid: CID }
  readonly snapshot: Snapshot | undefined
}

/**
 * Opens what a CID names, a tree or a snapshot of one. The root of a snapshot has the attributes that it carries.
 *
 * @throws {InvalidNodeError} where it is neither
 */
export async function openVersion (blocks: BlockReader, cid: CID, options: AbortOptions): Promise<Version> {
  try {
    return { root: { ...await openRoot(blocks, cid, options), cid }, snapshot: undefined }
  } catch (err) {
    // most that are opened are trees, and a tree is to cost no second look at its block
    return openSnapshot(blocks, cid, err, options)
  }
}

/**
 * Opens the tree of a snapshot, where opening the CID as a tree was refused.
 *
 * @throws {unknown} the refusal, where the CID names no snapshot either
 */
export async function openSnapshot (blocks: BlockReader, cid: CID, refusal: unknown, options: AbortOptions): Promise<Version> {
  if (!(refusal instanceof InvalidNodeError) || refusal.cid?.equals(cid) !== true) {
    throw refusal
  }

  const block = await blocks.get(cid, options)

  if (!isSnapshot(block)) {
    throw refusal
  }

  const snapshot = decodeSnapshot(block)
  const root = await openRoot(blocks, snapshot.tree, options)

  return { root: { ...root, cid: snapshot.tree, attributes: snapshot.attributes }, snapshot }
}

/**
 * @throws {InvalidNodeError} where it is no snapshot
 */
export async function readSnapshot (blocks: BlockReader, cid: CID, options: AbortOptions): Promise<Snapshot> {
  return decodeSnapshot(await blocks.get(cid, options))
}

export function snapshotInfo (cid: CID, { tree, parents, generation, time, message, meta, attributes }: Snapshot): SnapshotInfo {
  return {
    cid,
    tree,
    parents,
    generation,
    ...(time === undefined ? {} : { time }),
    ...(message === undefined ? {} : { message }),
    ...(meta === undefined ? {} : { meta }),
    ...(attributes === undefined ? {} : { attributes })
  }
}
