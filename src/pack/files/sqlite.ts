import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

/**
 * Opens a database of SQLite; the empty path is one of one's own, in a temporary file that nobody sees. Only here is SQLite
 * asked for, and not by an import: Node.js that does not have it is told by the entry point that it is too old, and
 * releases that announce it as experimental do so when a store is opened.
 */
export function openDatabase (path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')

  return new DatabaseSync(path, options)
}
