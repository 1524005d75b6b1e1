import fs from 'node:fs'
import { StoreStateError } from '../../errors.ts'
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

/**
 * Opens a database of SQLite; the empty path is one of one's own, in a temporary file that nobody sees. Only here is SQLite
 * asked for, and not by an import: Node.js that does not have it is told by the entry point that it is too old, and
 * releases that announce it as experimental do so when a store is opened.
 *
 * @throws {StoreStateError} where a pipe, a device or a socket stands there, which SQLite may wait for without end
 */
export function openDatabase (path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')

  if (path !== '' && isSpecialFile(path)) {
    throw new StoreStateError('a pipe, device or socket is named like a database of the pack store: move it away', { path })
  }

  return new DatabaseSync(path, options)
}

function isSpecialFile (path: string): boolean {
  try {
    const stats = fs.statSync(path)

    return !stats.isFile() && !stats.isDirectory()
  } catch {
    // SQLite makes it, or says what is wrong
    return false
  }
}
