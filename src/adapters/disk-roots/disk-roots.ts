import { realpathSync } from 'node:fs'
import { InvalidOptionError } from '../../errors.ts'
import { enterStore } from '../../open-stores.ts'
import { checkOptions, integerOption } from '../../options.ts'
import { checkName, checkRecord, isSameRecord } from '../../roots/index.ts'
import { whenFree } from './when-free.ts'
import type { AbortOptions } from '../../options.ts'
import type { RootStore } from '../../roots/index.ts'
import type { DatabaseSync } from 'node:sqlite'

const defaultTimeoutMs = 10_000
// of the files that SQLite locks; there is a journal until it is told to write ahead
const suffixes = ['', '-wal', '-shm', '-journal']

export interface DiskRootsInit {
  /** How long to wait for another process that is setting a root. Default: 10,000 */
  readonly timeoutMs?: number
}

/** Roots in a file. It is opened on first use, and again after `close`. */
export interface DiskRoots extends RootStore, Disposable {
  sync(options?: AbortOptions): Promise<void>
  /** Closes the file. A process that ends without it loses nothing and holds up nobody. */
  close(): void
}

/**
 * Keeps roots in a file, an SQLite database on a local disk, which any number of processes may open at once. A root is
 * compared and set under an exclusive lock that ends with the process that holds it, and is synced before the answer.
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
 * @throws {InvalidOptionError} where `file` is none, and for an option that is unknown or out of range
 */
export function diskRoots (file: string | URL, init: DiskRootsInit = {}): DiskRoots {
  if (typeof file !== 'string' && !(file instanceof URL)) {
    throw new InvalidOptionError('file', 'must be the path or URL of a file')
  }

  checkOptions(init, ['timeoutMs'])

  return new SqliteRoots(file, integerOption('timeoutMs', init.timeoutMs ?? defaultTimeoutMs))
}

class SqliteRoots implements DiskRoots {
  readonly #file: string | URL
  readonly #timeoutMs: number
  #database: DatabaseSync | undefined
  #leave: (() => void) | undefined

  constructor (file: string | URL, timeoutMs: number) {
    this.#file = file
    this.#timeoutMs = timeoutMs
  }

  async get (name: string, options?: AbortOptions): Promise<Uint8Array | undefined> {
    checkName(name)

    return this.#use(database => find(database, name), options)
  }

  async compareAndSet (name: string, expected: Uint8Array | undefined, next: Uint8Array | undefined, options?: AbortOptions): Promise<boolean> {
    checkRecord(name, next)

    return this.#use(database => exclusively(database, () => {
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
    const rows = await this.#use(database => database.prepare('SELECT name FROM roots').all(), options)

    for (const { name } of rows) {
      yield String(name)
    }
  }

  /** Every root is synced before it counts as set. */
  async sync (): Promise<void> {}

  close (): void {
    this.#database?.close()
    this.#database = undefined
    this.#leave?.()
  }

  [Symbol.dispose] (): void {
    this.close()
  }

  async #use <T> (work: (database: DatabaseSync) => T, options: AbortOptions = {}): Promise<T> {
    // only who uses roots on disk loads SQLite, which older releases of Node.js announce as experimental
    const { DatabaseSync } = await import('node:sqlite')

    return whenFree(this.#file, this.#timeoutMs, () => {
      this.#database ??= this.#open(new DatabaseSync(this.#file))

      return work(this.#database)
    }, options)
  }

  #open (database: DatabaseSync): DatabaseSync {
    open(database)
    this.#leave = enter(database)

    return database
  }
}

/** Notes for others of the process that the database's files are in use. */
function enter (database: DatabaseSync): () => void {
  const leaves = filesOf(database).map(enterStore)

  return () => { leaves.forEach(leave => { leave() }) }
}

/** The real paths of a database's files, which stand beside the real one where it was named by a link; none of one in memory. */
function filesOf (database: DatabaseSync): string[] {
  const file = database.prepare('PRAGMA database_list').get()?.file

  if (typeof file !== 'string' || file === '') {
    return []
  }

  try {
    const realPath = realpathSync.native(file)

    return suffixes.map(suffix => realPath + suffix)
  } catch {
    // somebody has removed it, so that nobody comes across it
    return []
  }
}

function open (database: DatabaseSync): DatabaseSync {
  try {
    // one file is written and synced for each root that is set, before the answer
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec('CREATE TABLE IF NOT EXISTS roots (name TEXT PRIMARY KEY, record BLOB NOT NULL) STRICT, WITHOUT ROWID')

    return database
  } catch (err) {
    database.close()
    throw err
  }
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
