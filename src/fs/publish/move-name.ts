import { encodeRootRecord } from '../../codec/index.ts'
import { RootConflictError, RootRemovedError } from '../../errors.ts'
import { findRecord, isSameRoot } from './root-record.ts'
import type { PublicPlace } from './root-options.ts'
import type { KnownName, StoredRecord } from './root-record.ts'
import type { Standing } from './root-types.ts'
import type { Layout, RootRecord } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

export interface NextRoot {
  readonly next: Standing
  /** The last tree that is known and can be read */
  readonly base: CID | undefined
  readonly layout: Layout | undefined
}

/**
 * Sets what is published under a name, where it still is what the handle knows.
 *
 * @throws {RootConflictError} where somebody else has published another root
 * @throws {RootRemovedError} where somebody else has removed the name
 */
export async function setName (place: PublicPlace, known: KnownName, { next, base, layout }: NextRoot, options: AbortOptions): Promise<void> {
  const record: RootRecord = { ...next, previous: known.published === undefined ? undefined : base, layout }
  const bytes = encodeRootRecord(record)

  while (!await place.roots.compareAndSet(place.name, known.published?.bytes, bytes, options)) {
    const found = await findRecord(place, options)

    // somebody else did the same, or the response to our own call was lost
    if (found !== undefined && isSameRoot(found.record, next)) {
      known.published = found
      return
    }

    known.published = requireKnown(place, known, found, { ours: next.tree, base })
  }

  known.published = { bytes, record }
  known.unnamed = undefined
}

/**
 * Removes a name, where what is published still is what the handle knows. Returns the tree that was published.
 *
 * @throws {RootConflictError} where somebody else has published another root
 */
export async function removeName (place: PublicPlace, known: KnownName, { ours, base }: { ours(): Promise<CID>, base: CID | undefined }, options: AbortOptions): Promise<CID | undefined> {
  while (!await place.roots.compareAndSet(place.name, known.published?.bytes, undefined, options)) {
    const found = await findRecord(place, options)
    known.published = found === undefined ? undefined : requireKnown(place, known, found, { ours: await ours(), base })
  }

  const tree = known.published?.record.tree
  known.published = undefined
  known.unnamed = undefined

  return tree
}

/**
 * Looks whether a name is still there, where a commit has nothing to set.
 *
 * @throws {RootRemovedError} where somebody else has removed it
 */
export async function checkPublishedName ({ name, roots }: PublicPlace, known: KnownName, ours: CID, options: AbortOptions): Promise<void> {
  if (await roots.get(name, options) === undefined) {
    throw removedError(name, known, ours)
  }
}

/** What was found, where it is no more than another record of the root that the handle knows. */
function requireKnown ({ name }: PublicPlace, known: KnownName, found: StoredRecord | undefined, { ours, base }: { ours: CID, base: CID | undefined }): StoredRecord | undefined {
  if (found === undefined) {
    if (known.published !== undefined) {
      throw removedError(name, known, ours)
    }

    return
  }

  if (known.published !== undefined && isSameRoot(known.published.record, found.record)) {
    return found
  }

  known.seen = found
  throw new RootConflictError(name, { ours, theirs: found.record.tree, base })
}

function removedError (name: string, known: KnownName, ours: CID): RootRemovedError {
  known.unnamed = ours

  return new RootRemovedError(name, ours)
}
