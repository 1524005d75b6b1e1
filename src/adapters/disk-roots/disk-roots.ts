import { existsSync, realpathSync } from 'node:fs'
import { NotFoundError, StoreStateError } from '../../errors.ts'
import { enterStore } from '../../open-stores.ts'
import { checkOptions, integerOption } from '../../options.ts'
import { checkName, checkRecord, isSameRecord } from '../../roots/index.ts'
import { isSqliteError, readUnchanged } from '../../sqlite/index.ts'
import { openForReading, openForWriting, requireRoots, suffixes } from './roots-database.ts'
import { rootsPath } from './roots-path.ts'
import { whenFree } from './when-free.ts'
import type { AbortOptions } from '../../options.ts'
import type { RootStore } from '../../roots/index.ts'
import type { DatabaseSync } from 'node:sqlite'

const defaultTimeoutMs = 10_000
// a byte order mark is a part of a name
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Options of `diskRoots`. */
export interface DiskRootsInit {
  /** How long to wait for another process that is setting a root. Default: 10,000 */
  readonly timeoutMs?: number
  /** Never write: the file must be there, and no root can be set. Without it, roots are read all the same where nothing may be written */
  readonly readonly?: boolean
}

/** Roots in a file. It is opened on first use, and again after `close`, wherever the process is by then. */
export interface DiskRoots extends RootStore, Disposable {
  /**
   * Resolves at once: every root is on the disk before `compareAndSet` returns.
   *
   * @example
   *
   * ```ts
   * import { diskRoots } from 'dagfs/disk-roots'
   *
   *
   * const roots = diskRoots('./roots.sqlite')
   * await roots.compareAndSet('mark', undefined, Uint8Array.of(1))
   * await roots.sync()
   * roots.close()
   * ```
   */
  sync(options?: AbortOptions): Promise<void>
  /**
   * Closes the file. A process that ends without it loses nothing and holds up nobody.
   *
   * @example
   *
   * ```ts
   * import { diskRoots } from 'dagfs/disk-roots'
   *
   *
   * const roots = diskRoots('./roots.sqlite')
   * await roots.compareAndSet('mark', undefined, Uint8Array.of(1))
   * roots.close()
   * console.log(await roots.get('mark')) // Uint8Array(1) [ 1 ]
   * roots.close() // it was opened again
   * ```
   */
  close(): void
}

/**
 * Keeps roots in a file, an SQLite database on a local disk, which any number of processes may open at once. A root is
 * compared and set under an exclusive lock that ends with the process that holds it, and is synced before the call returns.
 * Beside the file stand `-wal` and `-shm` files while it is open.
 *
 * @example
 *
 * ```ts
 * import { FsBlockstore } from 'blockstore-fs'
 * import { dagfs } from 'dagfs'
 * import { diskRoots } from 'dagfs/disk-roots'
 *
 * const blockstore = new FsBlockstore('./blocks')
 * await blockstore.open()
 * const roots = diskRoots('./roots.sqlite')
 *
 * const fs = dagfs({ blockstore }, { name: 'site', roots })
 * await fs.addAll([{ path: '/index.html', content: 'hello' }])
 * await fs.commit()
 *
 * roots.close()
 * await blockstore.close()
 * ```
 *
 * @throws {InvalidOptionError} where `file` cannot be the path of a file, and for an option that is unknown or out of range
 */
export function diskRoots (file: string | URL, init: DiskRootsInit = {}): DiskRoots {
  const path = rootsPath(file)
  checkOptions(init, ['timeoutMs', 'readonly'])

  return new SqliteRoots(path, integerOption('timeoutMs', init.timeoutMs ?? defaultTimeoutMs), init.readonly ?? false)
}

class SqliteRoots implements DiskRoots {
  readonly #path: string
  readonly #timeoutMs: number
  readonly #readonly: boolean
  #writer: Opened | undefined
  #reader: Opened | undefined

  constructor (path: string, timeoutMs: number, readonly: boolean) {
    this.#path = path
    this.#timeoutMs = timeoutMs
    this.#readonly = readonly
  }

  async get (name: string, options?: AbortOptions): Promise<Uint8Array | undefined> {
    checkName(name)
    const [record] = await this.#read(database => [find(database, name)], options)

    return record
  }

  async compareAndSet (name: string, expected: Uint8Array | undefined, next: Uint8Array | undefined, options?: AbortOptions): Promise<boolean> {
    checkRecord(name, next)

    return this.#write(database => exclusively(database, () => {
      if (!isSameRecord(find(database, name), expected)) {
        return false
      }

      if (next === undefined) {
        database.prepare('DELETE FROM roots WHERE name = ?').run(name)

        return true
      }

      database.prepare('INSERT INTO roots (name, record) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET record = excluded.record').run(name, next)

      return true
    }), options)
  }

  async * names (options?: AbortOptions): AsyncGenerator<string> {
    // older releases of Node.js read text up to its first NUL
    const rows = await this.#read(database => database.prepare('SELECT CAST(name AS BLOB) AS name FROM roots').all(), options)

    for (const { name } of rows) {
      if (name instanceof Uint8Array) {
        yield decoder.decode(name)
      }
    }
  }

  /** Every root is synced before it counts as set. */
  async sync (): Promise<void> {}

  close (): void {
    this.#writer?.close()
    this.#writer = undefined
    this.#reader?.close()
    this.#reader = undefined
  }

  [Symbol.dispose] (): void {
    this.close()
  }

  async #write <T> (work: (database: DatabaseSync) => T, options: AbortOptions = {}): Promise<T> {
    if (this.#readonly) {
      throw new StoreStateError('the roots are open for reading only', { path: this.#path })
    }

    return whenFree(this.#path, this.#timeoutMs, () => {
      try {
        return work(this.#openWriter())
      } catch (err) {
        throw isUnwritable(err) ? this.#unwritable(err) : err
      }
    }, options)
  }

  async #read <T extends object> (work: (database: DatabaseSync) => T, options: AbortOptions = {}): Promise<T> {
    return whenFree(this.#path, this.#timeoutMs, () => {
      if (this.#reader !== undefined || this.#readonly) {
        return this.#readOnly(work)
      }

      try {
        return work(this.#openWriter())
      } catch (err) {
        if (isUnwritable(err) && this.#isThere()) {
          return this.#readOnly(work)
        }

        throw isUnwritable(err) ? this.#unwritable(err) : err
      }
    }, options)
  }

  #unwritable (cause: unknown): StoreStateError {
    const what = this.#isThere() ? 'the roots cannot be written' : 'the file of roots cannot be created: its directory must exist and be writable'

    return new StoreStateError(what, { path: this.#path, cause })
  }

  #readOnly <T extends object> (work: (database: DatabaseSync) => T): T {
    if (this.#reader === undefined && !requireRoots(this.#path)) {
      throw new NotFoundError('there is no file of roots', { path: this.#path })
    }

    try {
      this.#reader ??= new Opened(openForReading(this.#path))

      return work(this.#reader.database)
    } catch (err) {
      const read = isUnwritable(err) ? readUnchanged(this.#path, work) : undefined

      if (read === undefined) {
        throw err
      }

      return read
    }
  }

  #openWriter (): DatabaseSync {
    this.#writer ??= new Opened(openForWriting(this.#path))

    return this.#writer.database
  }

  #isThere (): boolean {
    return existsSync(this.#path)
  }
}

/** A database whose files others of the process are told of. */
class Opened {
  readonly database: DatabaseSync
  readonly #leaves: ReadonlyArray<() => void>

  constructor (database: DatabaseSync) {
    this.database = database
    this.#leaves = filesOf(database).map(enterStore)
  }

  close (): void {
    this.database.close()
    this.#leaves.forEach(leave => { leave() })
  }
}

/** The real paths of a database's files, which stand beside the real one where it was named by a link. */
function filesOf (database: DatabaseSync): string[] {
  try {
    const realPath = realpathSync.native(String(database.prepare('PRAGMA database_list').get()?.file))

    return suffixes.map(suffix => realPath + suffix)
  } catch {
    // somebody has removed it, so that nobody comes across it
    return []
  }
}

// SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
const unwritableCodes = [3, 8, 10, 13, 14]

/** Whether SQLite failed as it does where something cannot be written; it writes beside a database to read it. */
function isUnwritable (err: unknown): boolean {
  return isSqliteError(err, ...unwritableCodes)
}

function find (database: DatabaseSync, name: string): Uint8Array | undefined {
  const record = database.prepare('SELECT record FROM roots WHERE name = ?').get(name)?.record

  return record instanceof Uint8Array ? record : undefined
}

function exclusively <T> (database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')

  try {
    const result = work()
    database.exec('COMMIT')

    return result
  } catch (err) {
    database.exec('ROLLBACK')
    throw err
  }
}
