import fs from 'node:fs'
import { hasLog, readImmutable } from './read-immutable.ts'
import type { DatabaseSync } from 'node:sqlite'

/** Whose a database is, as far as it says */
export interface DatabaseIdentity {
  /** A number that its program gave it; 0 for none */
  readonly applicationId: number
  /** A number of that program's own; 0 for none */
  readonly userVersion: number
  /** The statements that made its tables, indexes, views and triggers, by their names; without those that SQLite makes for itself */
  readonly schema: ReadonlyMap<string, string | undefined>
}

// a database begins with a header of as many, and SQLite takes a file of one byte for an empty one
const headerBytes = 100

/**
 * Reads whose a database is. The database stays as it is, and no file is made beside it. SQLite itself would recover it, or
 * write its log ahead into it.
 *
 * @param path - absolute, of a regular file
 * @returns undefined where the file is too short for a database
 * @throws {Error} what SQLite throws where the file is no database or cannot be read
 */
export function readIdentity (path: string): DatabaseIdentity | undefined {
  if (fs.statSync(path).size < headerBytes) {
    return
  }

  const identity = readImmutable(path, identityOf)

  // before its first checkpoint, all of a database is in its log
  return identity !== undefined && (identity.schema.size > 0 || !hasLog(path)) ? identity : readShared(path)
}

/** Opens the database in the ordinary way, for reading only: its log is there already. */
function readShared (path: string): DatabaseIdentity {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true })

  try {
    return identityOf(database)
  } finally {
    database.close()
  }
}

/** Asks an open database whose it is. */
export function identityOf (database: DatabaseSync): DatabaseIdentity {
  const [applicationId, userVersion] = ['application_id', 'user_version'].map(name => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]))
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").all()

  return { applicationId, userVersion, schema: new Map(rows.map(({ name, sql }) => [String(name), typeof sql === 'string' ? sql : undefined])) }
}
