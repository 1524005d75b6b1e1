import fs from 'node:fs'

/** What stands at a path, which is not followed; undefined where it cannot be looked at: reading it fails in the same way. */
export function lookAt (path: string): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
