import { diffDirectories } from '../directory/index.ts'
import { compareNames } from '../path.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Entry } from '../codec/index.ts'
import type { EntryChange, StoredDirectory } from '../directory/index.ts'

/** A directory in three trees; undefined where there is none. */
export interface ThreeDirectories {
  readonly base: StoredDirectory | undefined
  readonly ours: StoredDirectory | undefined
  readonly theirs: StoredDirectory | undefined
}

/** The entries of one name in three directories. Ours is the very object of the base where we did not change it. */
export interface ThreeEntries {
  readonly name: string
  readonly base: Entry | undefined
  readonly ours: Entry | undefined
  readonly theirs: Entry | undefined
}

/**
 * Yields the names that they changed against the base, in order, and what is there in each of the three.
 */
export async function * changedByThem (blocks: BlockReader, { base, ours, theirs }: ThreeDirectories, options: ReadOptions): AsyncGenerator<ThreeEntries> {
  if (base === undefined) {
    yield * addedByThem(blocks, ours, theirs, options)
    return
  }

  const byUs = diffDirectories(blocks, base, ours, options)

  try {
    let our = await next(byUs)

    for await (const { name, before, after } of diffDirectories(blocks, base, theirs, options)) {
      while (our !== undefined && compareNames(our.name, name) < 0) {
        our = await next(byUs)
      }

      yield { name, base: before, ours: our?.name === name ? our.after : before, theirs: after }
    }
  } finally {
    await byUs.return(undefined)
  }
}

// without a base each entry of theirs is a change, and those that we have as well need not be read
async function * addedByThem (blocks: BlockReader, ours: StoredDirectory | undefined, theirs: StoredDirectory | undefined, options: ReadOptions): AsyncGenerator<ThreeEntries> {
  for await (const { name, before, after } of diffDirectories(blocks, ours, theirs, options)) {
    if (after !== undefined) {
      yield { name, base: undefined, ours: before, theirs: after }
    }
  }
}

async function next (changes: AsyncGenerator<EntryChange>): Promise<EntryChange | undefined> {
  const { done, value } = await changes.next()

  return done === true ? undefined : value
}
