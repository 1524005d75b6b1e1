import { InvalidOptionError } from '../../errors.ts'
import { openVersion, readSnapshot } from './snapshot.ts'
import { commonAncestor } from './walk.ts'
import type { MergedVersion } from './merge.ts'
import type { SnapshotSource } from './walk.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { ReadOptions } from '../../budget.ts'
import type { Attributes, Snapshot } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Standing } from '../publish/root-types.ts'
import type { CID } from 'multiformats/cid'

/** What a handle stands on. */
export interface HandleStanding {
  /** The tree that the draft and whatever is published by others have in common */
  readonly base: CID | undefined
  readonly snapshot: CID | undefined
  /** What somebody else published when this handle wanted to */
  readonly seen: Standing | undefined
}

/** What is to be merged, and what becomes of the history. */
export interface MergePlan {
  /** The tree or snapshot that both began with, and the root of its tree; undefined for an empty directory */
  readonly base: { readonly version: CID | undefined, readonly cid: CID | undefined, readonly attributes: Attributes | undefined }
  readonly theirs: MergedVersion
  /** Their snapshot, where theirs is one */
  readonly snapshot: Snapshot | undefined
  /** The snapshots that the next one follows, from now on and as long as nothing else is merged */
  readonly head: CID | undefined
  readonly merged: CID | undefined
}

/**
 * Finds what a merge is to begin with. The history goes on from theirs where ours is behind it, stays as it is where
 * theirs is behind, and follows both where they parted.
 *
 * @throws {InvalidOptionError} where no base is given and none can be found
 */
export async function planMerge (source: SnapshotSource, standing: HandleStanding, theirs: CID, givenBase: CID | null | undefined, options: ReadOptions): Promise<MergePlan> {
  const { blocks } = source
  const { seen, snapshot: ours } = standing
  const { root, snapshot } = await openVersion(blocks, theirs, options)
  const isSeen = seen?.tree.equals(root.cid) === true
  const theirSnapshot = snapshot === undefined ? publishedSnapshot(isSeen, seen) : theirs
  const ancestor = ours === undefined || theirSnapshot === undefined ? undefined : await commonAncestor(source, ours, theirSnapshot, options)

  const base = givenBase === undefined && isSeen
    ? { version: standing.base, cid: standing.base, attributes: await attributesOf(blocks, ours, options) }
    : await openBase(blocks, givenBase ?? (givenBase === null ? null : ancestor), options)
  const attributes = theirSnapshot === undefined ? base.attributes : await attributesOf(blocks, theirSnapshot, options)

  return { base, snapshot, theirs: { cid: root.cid, size: root.size, attributes }, ...parentsAfter(ours, theirSnapshot, ancestor) }
}

function publishedSnapshot (isSeen: boolean, seen: Standing | undefined): CID | undefined {
  return isSeen ? seen?.snapshot : undefined
}

async function openBase (blocks: BlockReader, version: CID | null | undefined, options: AbortOptions): Promise<MergePlan['base']> {
  if (version === undefined) {
    throw new InvalidOptionError('base', 'is needed: no common ancestor is known; pass null for an empty directory')
  }

  if (version === null) {
    return { version: undefined, cid: undefined, attributes: undefined }
  }

  const { root } = await openVersion(blocks, version, options)

  return { version, cid: root.cid, attributes: root.attributes }
}

async function attributesOf (blocks: BlockReader, snapshot: CID | undefined, options: AbortOptions): Promise<Attributes | undefined> {
  return snapshot === undefined ? undefined : (await readSnapshot(blocks, snapshot, options)).attributes
}

function parentsAfter (ours: CID | undefined, theirs: CID | undefined, ancestor: CID | undefined): Pick<MergePlan, 'head' | 'merged'> {
  if (ours === undefined || theirs === undefined) {
    return { head: ours ?? theirs, merged: undefined }
  }

  if (ancestor?.equals(ours) === true) {
    return { head: theirs, merged: undefined }
  }

  return { head: ours, merged: ancestor?.equals(theirs) === true ? undefined : theirs }
}
