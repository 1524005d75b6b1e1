import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a new directory. */
export async function temporaryDirectory (): Promise<string> {
  return mkdtemp(join(tmpdir(), 'dagfs-torture-'))
}

/** Does some work in a new directory, which is removed with all that is in it. */
export async function inTemporary <T> (work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await temporaryDirectory()

  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}
