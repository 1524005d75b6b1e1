import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { descriptorsOf } from './descriptors-of.ts'
import type { DatabaseSync } from 'node:sqlite'

// databases that another thread opened while they were read: to close them would end its locks
const kept: DatabaseSync[] = []

/**
 * Reads a database as one that nobody changes: SQLite takes no lock, and looks at no file beside it.
 *
 * @returns undefined where this process has the file open
 */
export function readImmutable <T> (path: string, work: (database: DatabaseSync) => T): T | undefined {
  const file = fs.statSync(path, { bigint: true })

  // whoever closes a file in a process ends the locks that the process has on it
  if (descriptorsOf(file) > 0) {
    return
  }

  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true })

  try {
    return work(database)
  } finally {
    descriptorsOf(file) > 1 ? kept.push(database) : database.close()
  }
}

/** Whether something stands beside a database that belongs to it and is not written into it yet. */
export function hasLog (path: string): boolean {
  return ['-wal', '-journal'].some(suffix => (fs.statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0) > 0)
}
