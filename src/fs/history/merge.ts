import { throwIfAborted } from '../../abort.ts'
import { mergeAttributes, mergeTrees } from '../../compare/index.ts'
import { InvalidOptionError, MergeConflictError } from '../../errors.ts'
import { splitEntryPath } from '../../path.ts'
import { storeEdits } from '../draft/store-edits.ts'
import { storeAdded } from '../store-added.ts'
import { infoOf } from './diff.ts'
import type { ReadOptions } from '../../budget.ts'
import type { AddedEntry, EntryInfo } from '../entry-types.ts'
import type { MergeChoice, MergeConflict, MergeStrategy } from './types.ts'
import type { BlockReader, BlockWriter } from '../../blockstore/index.ts'
import type { Attributes, Entry } from '../../codec/index.ts'
import type { TreeConflict, TreeResolution } from '../../compare/index.ts'
import type { DirectoryRoot } from '../../directory/index.ts'
import type { FileLayout } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

/** What of many conflicts is told one by one. */
const maxConflicts = 1_000

/** One side of a merge: the root directory of its tree. */
export interface MergedVersion {
  readonly cid: CID
  readonly size: number
  readonly attributes: Attributes | undefined
}

export interface VersionMerge {
  readonly base: { readonly cid: CID | undefined, readonly attributes: Attributes | undefined }
  readonly ours: MergedVersion
  readonly theirs: MergedVersion
  readonly strategy: MergeStrategy | undefined
}

export interface MergeContext {
  readonly blocks: BlockReader
  readonly writer: BlockWriter
  readonly layout: FileLayout
}

/** A merged tree, whose blocks are put, and the conflicts that the strategy settled. */
export interface MergedTree {
  readonly root: DirectoryRoot
  readonly attributes: Attributes | undefined
  readonly conflicts: readonly MergeConflict[]
  readonly conflictCount: number
}

/**
 * Merges two trees and the attributes of their roots, and puts the blocks of the result.
 *
 * @throws {MergeConflictError} where the strategy leaves a conflict
 */
export async function mergeVersions (context: MergeContext, { base, ours, theirs, strategy }: VersionMerge, options: ReadOptions): Promise<MergedTree> {
  const resolver = new ConflictResolver(context, strategy, options)
  const attributes = mergeAttributes(base.attributes, ours.attributes, theirs.attributes)
  let side: 'ours' | 'theirs' = 'ours'

  if (attributes.fields.length > 0) {
    const resolution = await resolver.settle({ path: '/', kind: 'both-changed', fields: attributes.fields, base: undefined, ours: rootEntry(ours), theirs: rootEntry(theirs) })
    side = resolution === 'theirs' ? 'theirs' : 'ours'
  }

  const edit = await mergeTrees(context.blocks, { base: base.cid, ours: ours.cid, theirs: theirs.cid }, async conflict => resolver.settle(conflict), options)
  resolver.finish()

  return {
    root: await storeEdits(context, edit, { signal: options.signal }),
    attributes: attributes[side],
    conflicts: resolver.conflicts,
    conflictCount: resolver.count
  }
}

// the root has no entry; this one is told about like others
function rootEntry ({ cid, size, attributes }: MergedVersion): Entry {
  return { name: '', kind: 'directory', content: cid, size, ...(attributes === undefined ? {} : { attributes }) }
}

/**
 * @throws {InvalidOptionError} for what is no strategy
 */
export function checkStrategy (strategy: MergeStrategy | undefined): void {
  if (strategy !== undefined && typeof strategy !== 'function' && !['ours', 'theirs', 'both'].includes(strategy)) {
    throw new InvalidOptionError('strategy', "must be 'ours', 'theirs', 'both' or a function")
  }
}

/** Settles conflicts as a strategy says, and remembers them. */
class ConflictResolver {
  readonly conflicts: MergeConflict[] = []
  count = 0
  readonly #unsettled: MergeConflict[] = []
  readonly #context: MergeContext
  readonly #strategy: MergeStrategy | undefined
  readonly #options: AbortOptions

  constructor (context: MergeContext, strategy: MergeStrategy | undefined, options: AbortOptions) {
    this.#context = context
    this.#strategy = strategy
    this.#options = options
  }

  async settle (conflict: TreeConflict): Promise<TreeResolution> {
    const told = this.#told(conflict)
    const choice = typeof this.#strategy === 'function' ? await this.#strategy(told) : this.#strategy
    throwIfAborted(this.#options.signal)
    const resolution = await this.#resolution(conflict, choice)

    if (resolution === undefined) {
      this.#unsettled.push(told)

      if (this.#unsettled.length === maxConflicts) {
        this.finish()
      }

      return 'ours'
    }

    this.count++

    if (this.conflicts.length < maxConflicts) {
      this.conflicts.push(told)
    }

    return resolution
  }

  /** To be called when all conflicts are known. */
  finish (): void {
    if (this.#unsettled.length > 0) {
      throw new MergeConflictError(this.#unsettled)
    }
  }

  #told ({ path, kind, fields, base, ours, theirs }: TreeConflict): MergeConflict {
    const info = (entry: Entry): EntryInfo => infoOf(this.#context.blocks, entry, path)

    return {
      path,
      kind,
      fields,
      ...(base === undefined ? {} : { base: info(base) }),
      ...(ours === undefined ? {} : { ours: info(ours) }),
      ...(theirs === undefined ? {} : { theirs: info(theirs) })
    }
  }

  async #resolution (conflict: TreeConflict, choice: MergeChoice): Promise<TreeResolution | undefined> {
    const { ours, theirs } = conflict

    if (choice === undefined || choice === 'ours' || choice === 'theirs') {
      return choice
    }

    if (ours?.kind === 'directory' && theirs?.kind === 'directory') {
      // there is but one directory to give attributes to
      return choice === 'both' ? undefined : refuse(conflict.path, "must return 'ours' or 'theirs' for the attributes of a directory")
    }

    return choice === 'both' || choice === null ? choice : this.#store(conflict, choice)
  }

  async #store ({ path, ours, theirs }: TreeConflict, choice: object): Promise<Entry> {
    const { writer, layout } = this.#context
    const added = { ...(ours ?? theirs)?.attributes, ...choice, path } as AddedEntry
    const isAnswer = added.kind === 'symlink' || ('content' in added && added.content !== undefined)
    const stored = isAnswer ? await storeAdded(writer, layout, added, splitEntryPath(path, 'add'), this.#options) : undefined

    return stored?.change === 'set' ? stored.entry : refuse(path, "must return 'ours', 'theirs', 'both', a file, a link, null or undefined")
  }
}

function refuse (path: string, reason: string): never {
  throw new InvalidOptionError('strategy', reason, { path })
}
