import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const nobody = 65_534

/** Does something as the owner of a directory and its files who may do no more than their modes say: as another user, where this one may do anything. */
export async function asNobody (directory: string, work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0

  if (isRoot) {
    for (const name of ['.', ...await readdir(directory)]) {
      await chown(join(directory, name), nobody, nobody)
    }

    process.seteuid?.(nobody)
  }

  try {
    await work()
  } finally {
    isRoot && process.seteuid?.(0)
  }
}
