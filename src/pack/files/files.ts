import fs from 'node:fs'
import { dirname } from 'node:path'
import { FileSystemError, StoreStateError } from '../../errors.ts'
import { isDamage, isDatabaseError, isSqliteError } from './database-error.ts'
import { isErrorCode } from './error-code.ts'
import { readNow } from './read-hashed.ts'
import { openDatabase } from './sqlite.ts'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'

/**
 * The file operations that a store rests on, few enough for a test to count, fail and tear each of them.
 */
export interface Files {
  /** Opens a file: `create` for reading and writing, where it must not exist yet */
  open(path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile>
  /** The names in a directory */
  list(directory: string): Promise<string[]>
  /** Makes a directory, and those that it is in, whose names are then durable */
  makeDirectory(directory: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Makes names in a directory durable: those of created, renamed and unlinked files */
  syncDirectory(directory: string): Promise<void>
  /** Takes the lock that a file stands for, or returns undefined where somebody has it. It ends with its process. */
  lock(path: string): Lock | undefined
}

export interface OpenFile {
  /** What threads of this process can read it by, where it is a file of the system's */
  readonly descriptor?: number
  /** How many bytes the disk held of it when it was opened, fewer than it has where it has holes; undefined where that is not known */
  readonly allocated?: number
  /** Fills the bytes from a position on and returns how many there were, fewer only at the end of the file */
  read(bytes: Uint8Array, position: number): Promise<number>
  /** The same, without a turn of the event loop: for small reads, where the turn costs more than the read */
  readNow(bytes: Uint8Array, position: number): number
  /** Writes all of the bytes or throws */
  write(bytes: Uint8Array, position: number): Promise<void>
  size(): Promise<number>
  /** Whether a path leads to the file, be it closed, and not to another one or to none */
  isAt(path: string): boolean
  /** A text that differs once somebody wrote to the file or changed its times or links */
  state(): string
  truncate(length: number): Promise<void>
  /** Makes what was written durable */
  sync(): Promise<void>
  close(): Promise<void>
}

export interface Lock {
  release(): void
}

// a pipe that has the name of a file of ours must not hold anybody up
const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NONBLOCK = 0 } = fs.constants
const flags = { read: O_RDONLY | O_NONBLOCK, write: O_RDWR | O_NONBLOCK, create: O_RDWR | O_CREAT | O_EXCL }

export const hostFiles: Files = {
  async open (path, mode) {
    const handle = await openHandle(path, flags[mode])
    const stats = fs.fstatSync(handle.fd)

    // the system lets a directory be opened for reading, and fails when it is read
    if (!stats.isFile()) {
      await handle.close()
      throw new FileSystemError(stats.isDirectory() ? 'EISDIR' : 'EINVAL', 'open', path)
    }

    return new HostFile(handle, stats)
  },

  list: async directory => fs.promises.readdir(directory),

  async makeDirectory (directory) {
    const first = await fs.promises.mkdir(directory, { recursive: true })

    for (const name of first === undefined ? [] : namesBetween(first, directory)) {
      await hostFiles.syncDirectory(dirname(name))
    }
  },

  rename: async (from, to) => fs.promises.rename(from, to),
  unlink: async path => fs.promises.unlink(path),

  async syncDirectory (directory) {
    if (process.platform === 'win32') {
      // a directory cannot be opened there, and NTFS journals names by itself
      return
    }

    const handle = await fs.promises.open(directory, 'r')

    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },

  lock: lockDatabase
}

// Node.js 26 ends the process where it collects a handle that is open. Whoever forgets a store loses no more than that
const forgotten = new FinalizationRegistry<FileHandle>(handle => { handle.close().catch(() => {}) })

class HostFile implements OpenFile {
  readonly #handle: FileHandle
  /** As of its opening */
  readonly #stats: Stats

  constructor (handle: FileHandle, stats: Stats) {
    this.#handle = handle
    this.#stats = stats
    forgotten.register(this, handle, this)
  }

  get allocated (): number | undefined {
    // the system counts by 512, however large its own blocks are
    return process.platform === 'win32' ? undefined : this.#stats.blocks * 512
  }

  get descriptor (): number {
    return this.#handle.fd
  }

  async read (bytes: Uint8Array, position: number): Promise<number> {
    let length = 0

    while (length < bytes.byteLength) {
      const { bytesRead } = await this.#handle.read(bytes, length, bytes.byteLength - length, position + length)

      if (bytesRead === 0) {
        break
      }

      length += bytesRead
    }

    return length
  }

  readNow (bytes: Uint8Array, position: number): number {
    return readNow(this.#handle.fd, bytes, position)
  }

  async write (bytes: Uint8Array, position: number): Promise<void> {
    let length = 0

    while (length < bytes.byteLength) {
      const { bytesWritten } = await this.#handle.write(bytes, length, bytes.byteLength - length, position + length)
      length += bytesWritten
    }
  }

  async size (): Promise<number> {
    // the way through the thread pool takes fifty times as long
    return fs.fstatSync(this.#handle.fd).size
  }

  isAt (path: string): boolean {
    // a link elsewhere keeps a file that was replaced
    const found = fs.statSync(path, { throwIfNoEntry: false })

    // on Windows, the number of a volume depends on which call asks for it
    return found !== undefined && found.ino === this.#stats.ino && (process.platform === 'win32' || found.dev === this.#stats.dev)
  }

  state (): string {
    const { size, mtimeNs, ctimeNs } = fs.fstatSync(this.#handle.fd, { bigint: true })

    return `${size} ${mtimeNs} ${ctimeNs}`
  }

  async truncate (length: number): Promise<void> {
    await this.#handle.truncate(length)
  }

  async sync (): Promise<void> {
    await this.#handle.datasync()
  }

  async close (): Promise<void> {
    forgotten.unregister(this)
    await this.#handle.close()
  }
}

async function openHandle (path: string, openFlags: number): Promise<FileHandle> {
  try {
    return await fs.promises.open(path, openFlags)
  } catch (err) {
    if (isErrorCode(err, 'ENXIO') || isErrorCode(err, 'ELOOP')) {
      // a socket, and links that lead to each other
      throw new FileSystemError(isErrorCode(err, 'ELOOP') ? 'ELOOP' : 'EINVAL', 'open', path)
    }

    throw err
  }
}

/** A directory and those above it, up to the first that was made */
function namesBetween (first: string, directory: string): string[] {
  return directory.length <= first.length ? [first] : [...namesBetween(first, dirname(directory)), directory]
}

/**
 * SQLite holds its locks by the operating system's own, which end with the process, and on every platform. The database
 * stays empty: nothing but its lock is used.
 */
function lockDatabase (path: string): Lock | undefined {
  let database: DatabaseSync | undefined

  try {
    database = openDatabase(path)
    database.exec('BEGIN EXCLUSIVE')
  } catch (err) {
    database?.close()

    if (isSqliteError(err, busy)) {
      return
    }

    if (isDamage(err)) {
      throw new StoreStateError('the lock of the pack store is not a database: remove it while no process has the store open', { path, cause: err })
    }

    throw isDatabaseError(err) ? new StoreStateError('the pack store cannot be written; open it with readonly: true', { path: dirname(path), cause: err }) : err
  }

  return {
    release () {
      database.close()
    }
  }
}

// SQLITE_BUSY
const busy = 5
