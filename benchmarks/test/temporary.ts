import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const made: string[] = []

// here, so that it runs after all tests of a file, whichever hook made them
after(async () => {
  await Promise.all(made.map(async directory => rm(directory, { recursive: true, force: true })))
})

/**
 * Makes a directory that is removed after the tests of the file.
 */
export async function temporary (): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'dagfs-benchmark-tests-'))

  made.push(directory)

  return directory
}
