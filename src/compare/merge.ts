import pLimit from 'p-limit'
import { areEqualEntries } from '../codec/index.ts'
import { diffDirectories, directoryOf, directorySize, findEntry } from '../directory/index.ts'
import { LimitExceededError } from '../errors.ts'
import { pace } from '../pace.ts'
import { joinPath, maxPathSegments } from '../path.ts'
import { differingAttributes } from './content.ts'
import { freeName } from './free-name.ts'
import { mergeAttributes, mergeEntries, withAttributes } from './merge-entries.ts'
import { changedByThem } from './three-way.ts'
import type { EntryField } from './content.ts'
import type { Merged, MergeSide } from './merge-entries.ts'
import type { ThreeDirectories, ThreeEntries } from './three-way.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { DirectoryEntry, Entry } from '../codec/index.ts'
import type { StoredDirectory } from '../directory/index.ts'
import type { DirectoryEdit } from '../tree/index.ts'
import type { CID } from 'multiformats/cid'

// enough to hide the latency of a disk or browser store
const checksAhead = 16

/**
 * What two sides did to one path that cannot both stand. A side is undefined where it has no entry there.
 *
 * - `both-changed`: an entry of the base was changed in different ways
 * - `both-added`: both made an entry where the base had none
 * - `changed-removed`: one changed what the other removed
 * - `directory-file`: one has a directory where the other has a file or link
 */
export interface TreeConflict {
  readonly path: string
  readonly kind: 'both-changed' | 'both-added' | 'changed-removed' | 'directory-file'
  /** What differs between the sides and cannot be merged; nothing where a side has no entry */
  readonly fields: readonly EntryField[]
  readonly base: Entry | undefined
  readonly ours: Entry | undefined
  readonly theirs: Entry | undefined
}

/**
 * What is to be done about a conflict: take a side, keep both under other names, take a given entry, or null for none.
 * Where one side removed the entry, `both` keeps the other one; where attributes of two directories are in conflict, it
 * takes ours.
 */
export type TreeResolution = MergeSide | 'both' | Entry | null

export type ResolveConflict = (conflict: TreeConflict) => Promise<TreeResolution>

/**
 * Merges two trees that began as one: what either of them changed against the base is in the result. Returns the edit
 * that makes it out of ours; what one side alone changed is taken as it is, directories by their CIDs. It costs what the
 * two sides changed, in blocks and in memory.
 *
 * Fields of an entry are merged one by one, so that a change of mode and one of content are no conflict. Of a directory
 * that one side removed, what the other side changed is in conflict and what it added stays. Renames are not looked
 * for: they count as an entry that was removed and one that was added.
 *
 * @throws {LimitExceededError} below 1,024 segments, and where the budget ends
 * @throws {InvalidNodeError} where a directory that is compared or taken has another size than its entry claims
 */
export async function mergeTrees (blocks: BlockReader, { base, ours, theirs }: { base: CID | undefined, ours: CID, theirs: CID }, resolve: ResolveConflict, options: ReadOptions = {}): Promise<DirectoryEdit> {
  if (base?.equals(ours) === true) {
    return { base: theirs, changes: new Map() }
  }

  if (theirs.equals(ours) || base?.equals(theirs) === true) {
    return { base: ours, changes: new Map() }
  }

  return { base: ours, changes: await new TreeMerge(blocks, resolve, options).merge({ path: '/', depth: 1, base: base && { cid: base }, ours: { cid: ours }, theirs: { cid: theirs } }) }
}

/** What becomes of the names of our directory. */
type Changes = Map<string, Entry | DirectoryEdit | null>

interface DirectoryMerge extends ThreeDirectories {
  readonly path: string
  /** Directories on the way, this one included */
  readonly depth: number
}

class TreeMerge {
  readonly #blocks: BlockReader
  readonly #resolve: ResolveConflict
  readonly #options: ReadOptions

  constructor (blocks: BlockReader, resolve: ResolveConflict, options: ReadOptions) {
    this.#blocks = blocks
    this.#resolve = resolve
    this.#options = options
  }

  async merge (directory: DirectoryMerge): Promise<Changes> {
    checkDepth(directory)
    const changes: Changes = new Map()

    for await (const entries of changedByThem(this.#blocks, directory, this.#options)) {
      await pace(this.#options)
      await this.#mergeName(directory, entries, changes)
    }

    await this.#checkSizes(changes)

    return changes
  }

  /** Compares the claimed sizes of directories that are taken whole: the result must not claim them, too. */
  async #checkSizes (changes: Changes): Promise<void> {
    const taken = [...changes.values()].flatMap(change => change !== null && 'kind' in change ? directoryOf(change) ?? [] : [])

    await pLimit(checksAhead).map(taken, async directory => directorySize(this.#blocks, directory, this.#options))
  }

  async #mergeName (directory: DirectoryMerge, entries: ThreeEntries, changes: Changes): Promise<void> {
    const { name, base, ours, theirs } = entries

    if (ours === base) {
      changes.set(name, theirs ?? null)
    } else if (ours === undefined || theirs === undefined) {
      await this.#mergeRemoved(directory, entries, changes)
    } else if (ours.kind === 'directory' && theirs.kind === 'directory') {
      changes.set(name, await this.#mergeDirectories(directory, entries, ours, theirs))
    } else if (!areEqualEntries(ours, theirs)) {
      await this.#mergeOthers(directory, entries, ours, theirs, changes)
    }
  }

  async #mergeDirectories ({ path: above, depth }: DirectoryMerge, { name, base: entry }: ThreeEntries, ours: DirectoryEntry, theirs: DirectoryEntry): Promise<Entry | DirectoryEdit> {
    const path = joinPath(above, name)
    const base = entry?.kind === 'directory' ? entry : undefined
    const merged = mergeAttributes(base?.attributes, ours.attributes, theirs.attributes)
    const conflict = { path, kind: base === undefined ? 'both-added' : 'both-changed', fields: merged.fields, base: entry, ours, theirs } as const
    const attributes = merged.fields.length > 0 && await this.#resolve(conflict) === 'theirs' ? merged.theirs : merged.ours

    if (ours.content.equals(theirs.content) || base?.content.equals(theirs.content) === true) {
      return withAttributes(ours, attributes)
    }

    if (base?.content.equals(ours.content) === true) {
      return withAttributes(theirs, attributes)
    }

    return {
      base: ours.content,
      attributes,
      changes: await this.merge({ path, depth: depth + 1, base: directoryOf(base), ours: directoryOf(ours), theirs: directoryOf(theirs) })
    }
  }

  /** Merges a name where one side, or both, have nothing. */
  async #mergeRemoved ({ path, depth }: DirectoryMerge, { name, base, ours, theirs }: ThreeEntries, changes: Changes): Promise<void> {
    const changed = ours ?? theirs

    if (changed === undefined || base === undefined) {
      return
    }

    const kept = await this.#keepChanged({ path: joinPath(path, name), depth: depth + 1 }, base, changed, ours === undefined ? 'theirs' : 'ours')
    changes.set(name, kept)
  }

  /** What stays of an entry that one side changed and the other one removed, with everything below it. */
  async #keepChanged (place: { path: string, depth: number }, base: Entry, changed: Entry, side: MergeSide): Promise<Entry | DirectoryEdit | null> {
    if (base.kind !== 'directory' || changed.kind !== 'directory') {
      return this.#resolveRemoved(place.path, base, changed, side)
    }

    checkDepth(place)
    const below: Changes = new Map()

    for await (const { name, before, after } of diffDirectories(this.#blocks, directoryOf(base), directoryOf(changed), this.#options)) {
      const path = joinPath(place.path, name)
      const kept = before === undefined || after === undefined
        ? after
        : await this.#keepChanged({ path, depth: place.depth + 1 }, before, after, side)

      if (kept !== undefined && kept !== null) {
        below.set(name, kept)
      }
    }

    // its time changes with what is in it
    const isChanged = differingAttributes(base.attributes, changed.attributes).some(field => field !== 'mtime')
    const isKept = isChanged && await this.#resolveRemoved(place.path, base, changed, side) !== null

    return isKept || below.size > 0 ? { base: undefined, attributes: changed.attributes, changes: below } : null
  }

  async #resolveRemoved (path: string, base: Entry, changed: Entry, side: MergeSide): Promise<Entry | null> {
    const resolution = await this.#resolve({
      path,
      kind: 'changed-removed',
      fields: [],
      base,
      ours: side === 'ours' ? changed : undefined,
      theirs: side === 'theirs' ? changed : undefined
    })

    if (resolution === 'both' || resolution === side) {
      return changed
    }

    return resolution === 'ours' || resolution === 'theirs' || resolution === null ? null : { ...resolution, name: changed.name }
  }

  /** Merges two entries of which at most one is a directory. */
  async #mergeOthers (directory: DirectoryMerge, { name, base }: ThreeEntries, ours: Entry, theirs: Entry, changes: Changes): Promise<void> {
    const merged = ours.kind === theirs.kind
      ? await mergeEntries(base?.kind === ours.kind ? base : undefined, ours, theirs)
      : { ours, theirs, fields: ['kind' as const] }

    if (merged.fields.length === 0) {
      changes.set(name, merged.ours)
      return
    }

    const resolution = await this.#resolve({
      path: joinPath(directory.path, name),
      kind: conflictKind(base, ours, theirs),
      fields: merged.fields,
      base,
      ours,
      theirs
    })

    if (resolution === 'both') {
      await this.#keepBoth(directory, name, merged, changes)
    } else if (resolution === 'ours' || resolution === 'theirs') {
      changes.set(name, merged[resolution])
    } else {
      changes.set(name, resolution === null ? null : { ...resolution, name })
    }
  }

  async #keepBoth ({ ours, theirs }: DirectoryMerge, name: string, merged: Merged<Entry>, changes: Changes): Promise<void> {
    const isTaken = async (candidate: string): Promise<boolean> => changes.has(candidate) ||
      await this.#has(ours, candidate) || this.#has(theirs, candidate)

    changes.set(name, null)

    for (const entry of [merged.ours, merged.theirs]) {
      const free = await freeName(entry, isTaken)
      changes.set(free, { ...entry, name: free })
    }
  }

  async #has (directory: StoredDirectory | undefined, name: string): Promise<boolean> {
    return directory !== undefined && await findEntry(this.#blocks, directory, name, this.#options) !== undefined
  }
}

function checkDepth ({ path, depth }: { path: string, depth: number }): void {
  if (depth > maxPathSegments) {
    throw new LimitExceededError(`the tree is more than ${maxPathSegments} directories deep`, { path })
  }
}

function conflictKind (base: Entry | undefined, ours: Entry, theirs: Entry): TreeConflict['kind'] {
  if (ours.kind === 'directory' || theirs.kind === 'directory') {
    return 'directory-file'
  }

  return base === undefined ? 'both-added' : 'both-changed'
}
