import fs from 'node:fs'
import { permissions, secondsOf } from './write-host-file.ts'
import type { TargetDirectory } from './target-directory.ts'
import type { HostAttributes } from './write-host-file.ts'

// to list it, to change what is in it, and to reach that
const ownerBits = 0o700

export interface Leave {
  /** Whether what the owner of a directory may not do in it is no hindrance: an earlier export can have left it so */
  readonly mayOpen: boolean
}

/**
 * Does some work in a directory, and gives it its attributes then: writing into it needs permission and changes its time. Where
 * the work fails, it still gets its permission bits, those that are recorded or those that it had.
 *
 * @throws {Error} what the work throws, and what `node:fs` throws
 */
export async function withAccess (directory: TargetDirectory, { mode, mtime }: HostAttributes, { mayOpen }: Leave, work: () => Promise<void>): Promise<void> {
  const had = mayOpen ? allowOwner(directory) : undefined
  const last = mode === undefined ? had : permissions(mode)

  try {
    await work()
    directory.check()
  } catch (err) {
    if (last !== undefined) {
      setMode(directory, last)
    }

    throw err
  }

  if (last !== undefined) {
    fs.chmodSync(directory.self(), last)
  }

  if (mtime !== undefined) {
    fs.utimesSync(directory.self(), secondsOf(mtime), secondsOf(mtime))
  }
}

/** Lets the owner do everything in a directory; returns the bits that it had, where they were others. */
export function allowOwner (directory: TargetDirectory): number | undefined {
  const bits = fs.statSync(directory.self()).mode & 0o7777

  if ((bits & ownerBits) === ownerBits) {
    return
  }

  // another user's may still be open to ours; if not, what is done in it says so
  return setMode(directory, bits | ownerBits) ? bits : undefined
}

/** Returns whether it could. */
function setMode (directory: TargetDirectory, bits: number): boolean {
  try {
    fs.chmodSync(directory.self(), bits)

    return true
  } catch {
    return false
  }
}
