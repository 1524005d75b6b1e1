import { buildDirectory, editDirectory } from '../directory/index.ts'
import { compareNames } from '../path.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Attributes, Block, Entry } from '../codec/index.ts'
import type { DirectoryRoot } from '../directory/index.ts'
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

/** A directory whose edits are being applied. */
interface OpenEdit {
  /** What it is called in the directory above */
  readonly name: string
  readonly edit: DirectoryEdit
  /** What is still to come */
  readonly left: Iterator<readonly [name: string, change: Entry | DirectoryEdit | null]>
  /** What became of the names so far */
  readonly changes: Map<string, Entry | null>
}

/**
 * Applies edits. Yields the blocks that were not there before, children first, and returns the new root. Nothing is
 * written.
 */
export async function * applyEdits (blocks: BlockReader, edit: DirectoryEdit, options: ReadOptions = {}): AsyncGenerator<Block, DirectoryRoot> {
  // the way to the directory in work: generators in generators would pass each block through all of them
  const open = [openEdit('', edit)]

  for (;;) {
    const directory = open[open.length - 1]
    const { done, value } = directory.left.next()

    if (done !== true) {
      const [name, change] = value

      if (isEdit(change)) {
        open.push(openEdit(name, change))
      } else {
        directory.changes.set(name, change)
      }

      continue
    }

    const root = yield * applyTo(blocks, directory, options)
    open.pop()
    const parent = open.at(-1)

    if (parent === undefined) {
      return root
    }

    const { name, edit: { attributes } } = directory
    parent.changes.set(name, { name, kind: 'directory', content: root.cid, size: root.size, attributes })
  }
}

function openEdit (name: string, edit: DirectoryEdit): OpenEdit {
  return { name, edit, left: edit.changes[Symbol.iterator](), changes: new Map() }
}

function isEdit (change: Entry | DirectoryEdit | null): change is DirectoryEdit {
  return change !== null && 'changes' in change
}

async function * applyTo (blocks: BlockReader, { edit: { base }, changes }: OpenEdit, options: ReadOptions): AsyncGenerator<Block, DirectoryRoot> {
  if (base === undefined) {
    return yield * buildDirectory(present(changes))
  }

  const edited = await editDirectory(blocks, { cid: base }, changes, options)
  yield * edited.blocks

  return edited.root
}

function present (changes: ReadonlyMap<string, Entry | null>): Entry[] {
  return [...changes.values()].filter(entry => entry !== null).sort((a, b) => compareNames(a.name, b.name))
}
