import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs something with a directory that is removed afterwards.
 */
export async function withTemporaryDirectory <T> (run: (directory: string) => Promise<T>, parent: string = tmpdir()): Promise<T> {
  const directory = await mkdtemp(join(parent, 'dagfs-benchmarks-'))

  try {
    return await run(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
