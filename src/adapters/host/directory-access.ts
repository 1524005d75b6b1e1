import fs from 'node:fs'
import { permissions } from './write-host-file.ts'

// to list it, to change what is in it, and to reach that
const ownerBits = 0o700

/**
 * Does some work in a directory that was found, whose owner need not be allowed to list it or to write to it: an earlier export
 * can have left it so. In any case it has its permission bits then, those that are recorded or those that it had.
 *
 * @throws {Error} what the work throws, and what `node:fs` throws
 */
export async function withAccess (hostPath: string, mode: number | undefined, work: () => Promise<void>): Promise<void> {
  const had = allowOwner(hostPath)

  if (had === undefined) {
    await work()
    return
  }

  const last = mode === undefined ? had : permissions(mode)

  try {
    await work()
  } catch (err) {
    setMode(hostPath, last)
    throw err
  }

  fs.chmodSync(hostPath, last)
}

/** Lets the owner do everything in a directory; answers the bits that it had, where they were others. */
export function allowOwner (hostPath: string | Buffer): number | undefined {
  const bits = fs.statSync(hostPath).mode & 0o7777

  if ((bits & ownerBits) === ownerBits) {
    return
  }

  // another user's may still be open to ours; if not, what is done in it says so
  return setMode(hostPath, bits | ownerBits) ? bits : undefined
}

/** Answers whether it could. */
function setMode (hostPath: string | Buffer, bits: number): boolean {
  try {
    fs.chmodSync(hostPath, bits)

    return true
  } catch {
    return false
  }
}
