import { execFileSync } from 'node:child_process'

/**
 * Mounts a disk of some size, such as `1m`, on a directory, and answers what unmounts it; undefined where this user may not,
 * who has to be root.
 */
export function mountDisk (directory: string, size: string): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return
  }

  return () => { execFileSync('umount', [directory]) }
}
