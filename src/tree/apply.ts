import { buildDirectory, editDirectory } from '../directory/index.ts'
import { compareNames } from '../path.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Attributes, Block, Entry } from '../codec/index.ts'
import type { DirectoryRoot } from '../directory/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * What is to become of a directory: edits over what is stored, or a new directory.
 */
export interface DirectoryEdit {
  readonly base: CID | undefined
  readonly attributes?: Attributes | undefined
  /** What becomes of a name: an entry, a directory that is edited in its turn, or nothing */
  readonly changes: Iterable<readonly [name: string, change: Entry | DirectoryEdit | null]>
}

/**
 * Applies edits. Yields the blocks that were not there before, children first, and returns the new root. Nothing is
 * written.
 */
export async function * applyEdits (blocks: BlockReader, edit: DirectoryEdit, options: AbortOptions = {}): AsyncGenerator<Block, DirectoryRoot> {
  const changes = new Map<string, Entry | null>()

  for (const [name, change] of edit.changes) {
    changes.set(name, isEdit(change) ? yield * applyBelow(blocks, name, change, options) : change)
  }

  if (edit.base === undefined) {
    return yield * buildDirectory(present(changes))
  }

  const edited = await editDirectory(blocks, edit.base, changes, options)
  yield * edited.blocks

  return edited.root
}

function isEdit (change: Entry | DirectoryEdit | null): change is DirectoryEdit {
  return change !== null && 'changes' in change
}

async function * applyBelow (blocks: BlockReader, name: string, edit: DirectoryEdit, options: AbortOptions): AsyncGenerator<Block, Entry> {
  const { cid, size } = yield * applyEdits(blocks, edit, options)

  return { name, kind: 'directory', content: cid, size, attributes: edit.attributes }
}

function present (changes: ReadonlyMap<string, Entry | null>): Entry[] {
  return [...changes.values()].filter(entry => entry !== null).sort((a, b) => compareNames(a.name, b.name))
}
