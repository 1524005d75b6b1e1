import { setImmediate } from 'node:timers'
import { CorruptStoreError, StoreStateError } from '../../errors.ts'
import { closedError } from '../files/closed-error.ts'
import { isAway, isDamage, isUnknownLayout, unlessDatabaseError } from '../files/database-error.ts'
import { openDatabase } from '../files/sqlite.ts'
import { removeFiles, wholeSize } from './index-file.ts'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

/**
 * The file of an index, open in SQLite: when it is locked and logged, and what becomes of it when it fails, whatever its
 * tables are.
 */
export class IndexConnection {
  readonly database: DatabaseSync
  /** Empty for a file that nobody sees */
  readonly path: string
  /** Whether it is another writer's, which is only read here */
  readonly isShared: boolean
  #isReading = false
  #isWriting = false
  #isLogging = false
  /** Then it is removed on closing, and made again out of the segments */
  #isDamaged = false
  #isAway = false
  #isClosed = false

  private constructor (path: string, isShared: boolean) {
    this.database = openDatabase(path, { readOnly: isShared })
    this.path = path
    this.isShared = isShared
  }

  /** Opens a file, or makes it, and closes it again where `prepare` fails. */
  static open (path: string, { isShared = false } = {}, prepare: (database: DatabaseSync) => void = () => {}): IndexConnection {
    const connection = new IndexConnection(path, isShared)

    try {
      connection.database.exec(settings)
      prepare(connection.database)

      return connection
    } catch (err) {
      connection.database.close()
      throw err
    }
  }

  /** Whether SQLite found that it is */
  get isDamaged (): boolean {
    return this.#isDamaged
  }

  /** Whether it cannot be read, be it for now or for ever */
  get isUnreadable (): boolean {
    return this.#isDamaged || this.#isAway
  }

  /**
   * Whether the file ends within its last page. SQLite takes what is missing there for zeros, and finds nothing in it; pages
   * that are missing as a whole it finds by itself. Nobody writes to the file within a transaction that reads it.
   */
  get isCutShort (): boolean {
    return this.lookUp(() => {
      const [pages, pageBytes] = ['page_count', 'page_size'].map(name => Number(this.database.prepare(`PRAGMA ${name}`).get()?.[name]))

      return (wholeSize(this.path) ?? Infinity) < pages * pageBytes
    })
  }

  /**
   * Reads within a transaction, in which SQLite takes no locks for each look-up. It ends where somebody may write: here when
   * we do, and with the next turn of the event loop where the writer is another process.
   */
  lookUp <T> (work: () => T): T {
    this.#requireOpen()

    if (!this.#isReading) {
      this.database.exec('BEGIN')
      this.#isReading = true

      if (this.isShared) {
        setImmediate(() => {
          unlessDatabaseError(() => { this.#endReading() })
        })
      }
    }

    return this.read(work)
  }

  /**
   * @throws {CorruptStoreError} where SQLite finds that the file is damaged
   * @throws {StoreStateError} where a writer keeps it from a reader, or it was closed
   */
  read <T> (work: () => T): T {
    this.#requireOpen()

    try {
      return work()
    } catch (err) {
      if (isDamage(err)) {
        this.#isDamaged = true
        throw new CorruptStoreError('the index is damaged; it is rebuilt when the store is opened for writing again', { path: this.path, cause: err })
      }

      if (this.isShared && isAway(err)) {
        this.#isAway = true
        throw new StoreStateError('the index is being written, or a killed process left it unfinished: try again, or open the store for writing once', { path: this.path, cause: err })
      }

      throw err
    }
  }

  /** Reads row after row, whenever the next one is asked for. */
  * rows (query: string, ...values: number[]): Generator<Record<string, SQLOutputValue>> {
    const rows = this.read(() => this.database.prepare(query).iterate(...values))

    try {
      for (let row = this.read(() => rows.next()); row.done !== true; row = this.read(() => rows.next())) {
        yield row.value
      }
    } finally {
      // else its lock on the file keeps a writer from it until it is collected. Closing ends it, and then this would throw
      if (!this.#isClosed) {
        rows.return?.()
      }
    }
  }

  /** Changes something by one statement, or within `write`. */
  change (work: () => void): void {
    this.#requireOpen()

    if (!this.#isWriting) {
      this.#endReading()
    }

    work()
  }

  /** Executes statements in one transaction. */
  transact (statements: string): void {
    this.#endReading()
    this.read(() => {
      try {
        this.database.exec(`BEGIN IMMEDIATE; ${statements}; COMMIT`)
      } catch (err) {
        unlessDatabaseError(() => { this.database.exec('ROLLBACK') })
        throw this.#ofOthers(err)
      }
    })
  }

  /** Writes in one transaction, within which look-ups go on meanwhile; where `work` fails, all is as it was. */
  async write (work: () => Promise<void>): Promise<void> {
    this.#requireOpen()
    this.#endReading()
    this.database.exec('BEGIN IMMEDIATE')

    try {
      this.#isReading = true
      this.#isWriting = true
      await work()
      this.database.exec('COMMIT')
    } catch (err) {
      this.#isDamaged ||= isDamage(err)
      unlessDatabaseError(() => { this.database.exec('ROLLBACK') })
      throw this.#ofOthers(err)
    } finally {
      this.#isReading = false
      this.#isWriting = false
    }
  }

  /**
   * Readers go on while SQLite writes to a log of its own. To begin it and to end it costs as much as two transactions
   * without it, for which readers wait.
   */
  startLogging (): void {
    this.#requireOpen()

    if (!this.#isLogging) {
      this.#endReading()
      // the store's log is synced before the index says so, and NORMAL keeps the database whole after a power cut
      this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000')
      this.#isLogging = true
    }
  }

  close (): void {
    unlessDatabaseError(() => {
      this.#endReading()

      if (!this.isShared) {
        // without files beside it, the index can be read in a directory that cannot be written. While a reader has it open,
        // it stays as it is, which is as good for all who may write
        this.database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE')
      }
    })
    this.#isClosed = true
    this.database.close()

    if (this.#isDamaged && !this.isShared && this.path !== '') {
      removeFiles(this.path)
    }
  }

  /** What was made here is not there any more where another process opened the store for writing, and took the lock from this one. */
  #ofOthers (err: unknown): unknown {
    return isUnknownLayout(err)
      ? new StoreStateError('another process has changed the index; close the store, and open it again', { path: this.path, cause: err })
      : err
  }

  #requireOpen (): void {
    if (this.#isClosed) {
      throw closedError(this.path)
    }
  }

  #endReading (): void {
    if (this.#isReading) {
      this.#isReading = false
      this.database.exec('COMMIT')
    }
  }
}

// readers look up for no longer than a turn of the event loop
const settings = 'PRAGMA busy_timeout = 500; PRAGMA cache_size = -16384; PRAGMA mmap_size = 33554432'
