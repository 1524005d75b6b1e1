import type { DagFs } from '../../../src/index.ts'

// a commit for every few files: there are many, and they meet
const filesInCommit = 10

/**
 * Adds files to a root that others change at the same time: where one of them was first, what he did is merged. Answers
 * how often that was.
 */
export async function addFiles (fs: DagFs, prefix: string, count: number): Promise<number> {
  let merges = 0

  for (let added = 0; added < count; added += filesInCommit) {
    for (let i = added; i < Math.min(count, added + filesInCommit); i++) {
      await fs.writeFile(`/${prefix}-${i}`, contentOf(prefix, i))
    }

    while (!await commit(fs)) {
      merges++
    }
  }

  return merges
}

/** Some are inlined, and some have a block of their own. */
export function contentOf (prefix: string, i: number): string {
  return `${prefix} ${i} `.repeat(i % 4 === 0 ? 500 : 1)
}

async function commit (fs: DagFs): Promise<boolean> {
  try {
    await fs.commit()

    return true
  } catch (err) {
    if (!(err instanceof Error) || err.name !== 'RootConflictError' || !('theirs' in err)) {
      throw err
    }

    const { theirs } = err as Error & { theirs: Parameters<DagFs['merge']>[0] }
    await fs.merge(theirs)

    return false
  }
}
