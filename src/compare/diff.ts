import { diffDirectories, directoryOf } from '../directory/index.ts'
import { LimitExceededError } from '../errors.ts'
import { pace } from '../pace.ts'
import { joinPath, maxPathSegments } from '../path.ts'
import { differingFields } from './content.ts'
import type { EntryField } from './content.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Entry } from '../codec/index.ts'
import type { EntryChange } from '../directory/index.ts'
import type { CID } from 'multiformats/cid'

/** A difference between two trees. A directory whose entries alone differ is none: they are. */
export type TreeChange =
  | { readonly kind: 'added', readonly path: string, readonly after: Entry }
  | { readonly kind: 'removed', readonly path: string, readonly before: Entry }
  | { readonly kind: 'changed', readonly path: string, readonly before: Entry, readonly after: Entry, readonly fields: readonly EntryField[] }

export interface TreeDiffOptions extends ReadOptions {
  /** Whether to list what is below a directory that appears or vanishes. Default: always */
  isEntered?(path: string): boolean
}

/** A directory that is being compared. */
interface OpenDirectory {
  readonly path: string
  readonly changes: AsyncGenerator<EntryChange>
}

/**
 * Compares two trees, undefined standing for an empty one. Yields what differs, names in order, each directory before
 * what is in it. What both have is passed by unread: it costs the blocks that differ, and their neighbours.
 *
 * @throws {LimitExceededError} below 1,024 segments: a hostile tree can be nested without end
 */
export async function * diffTrees (blocks: BlockReader, before: CID | undefined, after: CID | undefined, options: TreeDiffOptions = {}): AsyncGenerator<TreeChange> {
  const open: OpenDirectory[] = [{ path: '/', changes: diffDirectories(blocks, before && { cid: before }, after && { cid: after }, options) }]

  try {
    while (open.length > 0) {
      const here = open[open.length - 1]
      const { done, value } = await here.changes.next()

      if (done === true) {
        open.pop()
        continue
      }

      await pace(options)
      const path = joinPath(here.path, value.name)

      if (open.length > maxPathSegments) {
        throw new LimitExceededError(`the tree is more than ${maxPathSegments} directories deep`, { path })
      }

      const change = await treeChange(path, value)

      if (change !== undefined) {
        yield change
      }

      if (isToEnter(path, value, options)) {
        open.push({ path, changes: diffDirectories(blocks, directoryOf(value.before), directoryOf(value.after), options) })
      }
    }
  } finally {
    await Promise.all(open.map(async ({ changes }) => changes.return(undefined)))
  }
}

async function treeChange (path: string, { before, after }: EntryChange): Promise<TreeChange | undefined> {
  if (before === undefined || after === undefined) {
    return oneSided(path, before, after)
  }

  const fields = await differingFields(before, after)
  const reported = before.kind === 'directory' && after.kind === 'directory' ? fields.filter(field => field !== 'content') : fields

  return reported.length === 0 ? undefined : { kind: 'changed', path, before, after, fields: reported }
}

function oneSided (path: string, before: Entry | undefined, after: Entry | undefined): TreeChange | undefined {
  if (after !== undefined) {
    return { kind: 'added', path, after }
  }

  return before === undefined ? undefined : { kind: 'removed', path, before }
}

function isToEnter (path: string, { before, after }: EntryChange, options: TreeDiffOptions): boolean {
  if (before?.kind === 'directory' && after?.kind === 'directory') {
    return true
  }

  return (before?.kind === 'directory' || after?.kind === 'directory') && options.isEntered?.(path) !== false
}
