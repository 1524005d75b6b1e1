import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { descriptorsOf } from './descriptors-of.ts'
import { hasLog, readImmutable } from './read-immutable.ts'
import type { DatabaseSync } from 'node:sqlite'

const suffixes = ['', '-wal', '-journal']
// a change takes a few milliseconds
const maxAttempts = 10
// what is copied for one look
const maxCopiedBytes = 2 ** 30

/**
 * Reads a database where nothing can be written beside it, as SQLite would. What is in its log alone is read from a copy of
 * both in a temporary directory.
 *
 * @returns undefined where that cannot be done: this process has it open, it is too large, or it keeps changing
 */
export function readUnchanged <T extends object> (path: string, work: (database: DatabaseSync) => T): T | undefined {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const before = stateOf(path)
    const read = attemptTo(() => hasLog(path) ? readCopy(path, work) : readImmutable(path, work))

    // another process that may write to it did so meanwhile
    if (stateOf(path) === before) {
      return read()
    }
  }
}

function attemptTo <T> (work: () => T): () => T {
  try {
    const result = work()

    return () => result
  } catch (err) {
    return () => { throw err }
  }
}

function readCopy <T> (path: string, work: (database: DatabaseSync) => T): T | undefined {
  const files = suffixes.map(suffix => `${path}${suffix}`).filter(file => fs.existsSync(file))
  const stats = files.map(file => fs.statSync(file, { bigint: true }))

  if (stats.some(file => descriptorsOf(file) > 0) || stats.reduce((sum, { size }) => sum + Number(size), 0) > maxCopiedBytes) {
    return
  }

  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const directory = fs.mkdtempSync(join(tmpdir(), 'dagfs-'))

  try {
    for (const file of files) {
      fs.copyFileSync(file, join(directory, basename(file)))
      // that of the copy may be one that nobody can write to
      fs.chmodSync(join(directory, basename(file)), 0o600)
    }

    const database = new DatabaseSync(join(directory, basename(path)))

    try {
      return work(database)
    } finally {
      database.close()
    }
  } finally {
    fs.rmSync(directory, { recursive: true, force: true })
  }
}

function stateOf (path: string): string {
  return suffixes.map(suffix => {
    const { ino, size, mtimeNs } = fs.statSync(`${path}${suffix}`, { bigint: true, throwIfNoEntry: false }) ?? {}

    return `${ino} ${size} ${mtimeNs}`
  }).join()
}
