import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { dirname } from 'node:path'
import { CorruptStoreError, FileSystemError, InvalidOptionError, UnsupportedVersionError } from '../../errors.ts'
import { identityOf, readIdentity } from '../../sqlite/index.ts'
import type { DatabaseIdentity } from '../../sqlite/index.ts'
import type { DatabaseSync } from 'node:sqlite'

// "dagr" in ASCII; files of earlier versions have neither this nor a version
const applicationId = 0x64616772
const version = 1
const table = 'CREATE TABLE roots (name TEXT PRIMARY KEY, record BLOB NOT NULL) STRICT, WITHOUT ROWID'
/** Of the files that SQLite keeps a database in; there is a journal until it is told to write ahead. */
export const suffixes = ['', '-wal', '-shm', '-journal']

/** Opens the file for reading and writing, and makes it where there is none. */
export function openForWriting (path: string): DatabaseSync {
  if (!requireRoots(path)) {
    create(path)
  }

  return opened(path, {}, database => {
    if (!isRoots(path, identityOf(database))) {
      setUp(database)
    }

    // one file is written and synced for each root that is set, before the call returns
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  })
}

/** Opens the file for reading. SQLite cannot do that where files would have to stand beside it, and none may. */
export function openForReading (path: string): DatabaseSync {
  return opened(path, { readOnly: true }, database => { isRoots(path, identityOf(database)) })
}

/**
 * Whether there is a file, which then is one of roots.
 *
 * @throws {InvalidOptionError} where it is the database of another program
 * @throws {CorruptStoreError} where it is empty
 * @throws {FileSystemError} where it is no regular file: a pipe would hold its reader up
 * @throws {Error} what SQLite throws where it is no database
 */
export function requireRoots (path: string): boolean {
  suffixes.forEach(suffix => { requireFile(path + suffix) })
  const file = fs.statSync(path, { throwIfNoEntry: false })

  if (file === undefined) {
    return false
  }

  const identity = readIdentity(path)

  if (identity === undefined) {
    throw new CorruptStoreError(file.size === 0 ? 'the file of roots is empty: restore it, or remove it to begin without roots' : 'the file is not a database of roots', { path })
  }

  isRoots(path, identity)

  return true
}

function requireFile (path: string): void {
  const file = fs.statSync(path, { throwIfNoEntry: false })

  if (file?.isFile() === false) {
    throw new FileSystemError(file.isDirectory() ? 'EISDIR' : 'EINVAL', 'open', path)
  }
}

/** Whether a database has roots, and not nothing yet, which a killed process of an earlier version can leave. */
function isRoots (path: string, { applicationId: id, userVersion, schema }: DatabaseIdentity): boolean {
  if (id === applicationId && userVersion > version) {
    throw new UnsupportedVersionError(`the file of roots has version ${userVersion}, this release knows version ${version}`, { path })
  }

  const isUnmarked = id === 0 && userVersion === 0

  if (isUnmarked && schema.size === 0) {
    return false
  }

  if (schema.get('roots') !== table || !(isUnmarked ? schema.size === 1 : id === applicationId)) {
    throw new InvalidOptionError('file', 'is not a database of roots; name another file', { path })
  }

  return true
}

/** Makes the file under another name first, so that nobody finds it without its table. */
function create (path: string): void {
  const temporary = `${path}.${randomUUID()}.tmp`

  try {
    opened(temporary, {}, setUp).close()
    fs.linkSync(temporary, path)
    syncDirectory(dirname(path))
  } catch (err) {
    // another process was faster; or a link leads here, or the system has no hard links, and SQLite makes the file itself
    if (!isSystemError(err)) {
      throw err
    }
  } finally {
    suffixes.map(suffix => temporary + suffix).filter(name => fs.existsSync(name)).forEach(name => { fs.rmSync(name, { force: true }) })
  }
}

function setUp (database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')

  try {
    // another process may have done so meanwhile
    if (identityOf(database).schema.size === 0) {
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; ${table}`)
    }

    database.exec('COMMIT')
  } catch (err) {
    database.exec('ROLLBACK')
    throw err
  }
}

function opened (path: string, options: { readonly readOnly?: boolean }, prepare: (database: DatabaseSync) => void): DatabaseSync {
  // only who uses roots on disk loads SQLite, which older releases of Node.js announce as experimental
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(path, options)

  try {
    prepare(database)

    return database
  } catch (err) {
    database.close()
    throw err
  }
}

function syncDirectory (directory: string): void {
  if (process.platform === 'win32') {
    // a directory cannot be opened there, and NTFS journals names by itself
    return
  }

  const descriptor = fs.openSync(directory, 'r')

  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Whether the system refused something: SQLite's errors have a code of their own. */
function isSystemError (err: unknown): boolean {
  return err instanceof Error && 'syscall' in err
}
