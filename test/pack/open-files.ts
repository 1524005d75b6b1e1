import { readdirSync, readlinkSync } from 'node:fs'

/** The files of a directory, and SQLite's temporary ones, that this process has open. For Linux alone. */
export function openFiles (directory: string): string[] {
  return readdirSync('/proc/self/fd').map(targetOf).filter(path => path.startsWith(directory) || path.includes('etilqs_'))
}

function targetOf (descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // the one that listed them is gone
    return ''
  }
}
