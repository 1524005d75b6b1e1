import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const TMPFS = 0x1021994
const LEAST_FREE_BYTES = 2 ** 30

/**
 * Returns where files are in memory and a disk has no part in how long they take, if the machine has
 * such a place with 1 GiB free; otherwise, or where `TMPDIR` names another, where temporary files go.
 */
export async function memoryDirectory (): Promise<string> {
  if (process.env.TMPDIR != null) {
    return tmpdir()
  }

  try {
    const { type, bavail, bsize } = await statfs(IN_MEMORY)

    return type === TMPFS && bavail * bsize >= LEAST_FREE_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
