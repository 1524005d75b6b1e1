import { setImmediate } from 'node:timers'
import { CorruptStoreError, StoreStateError } from '../errors.ts'
import { pace } from '../pace.ts'
import { isDamage, isDatabaseError, isUnknownLayout, unlessDatabaseError } from './database-error.ts'
import { isCutShort, isEmpty, removeFiles } from './index-file.ts'
import { maxBlockBytes } from './section.ts'
import { openDatabase } from './sqlite.ts'
import type { LocationTable } from './location-table.ts'
import type { Location } from './locations.ts'
import type { AbortOptions } from '../options.ts'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** How far the index knows a segment, and the record that ends there: with it the index is of this store and this past. */
export interface Coverage {
  readonly length: number
  readonly recordOffset: number
  /** Empty where no record was found in the segment: then length and offset are 0 */
  readonly recordKey: Uint8Array
  /** Whether the segment has bytes that no block could be found in, though some may stand there */
  readonly isDamaged: boolean
  /** How long the segment was when it was read, damaged bytes behind the record included; -1 where it was missing */
  readonly seen: number
}

export interface IndexedBlock {
  readonly key: Uint8Array
  readonly location: Location
}

const layoutVersion = 3

const schema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
  ${tables('')}
`

/** An index that is being made beside another one has names of its own. */
function tables (suffix: string): string {
  return `
    CREATE TABLE coverage${suffix} (segment INTEGER PRIMARY KEY, length INTEGER, record_offset INTEGER, record_key BLOB, is_damaged INTEGER, seen INTEGER);
    CREATE TABLE blocks${suffix} (key BLOB PRIMARY KEY, segment INTEGER, offset INTEGER, length INTEGER) WITHOUT ROWID;
  `
}

/** What the indexes of one file have in common */
interface Connection {
  readonly database: DatabaseSync
  isReading: boolean
  isApplying: boolean
  isLogging: boolean
  isDamaged: boolean
}

/**
 * Finds blocks by key. It is a cache of what the segments say, and may be removed at any time.
 */
export class BlockIndex {
  readonly #connection: Connection
  /** Empty for one that nobody sees */
  readonly #path: string
  /** Whether it is the writer's, which others only read */
  readonly isShared: boolean
  /** Of its tables' names; empty but for one that is being made beside another one */
  #suffix: string
  #find: StatementSync

  private constructor (connection: Connection, path: string, isShared: boolean, suffix = '') {
    this.#connection = connection
    this.#path = path
    this.isShared = isShared
    this.#suffix = suffix
    this.#find = this.#prepareFind()
  }

  /**
   * Opens the index of a store for its writer, making a new one where there is none, or one of no use: damaged, cut short,
   * of another store or another layout.
   *
   * @throws {StoreStateError} where there is one, and SQLite cannot open it for now: nobody else may know what was lost
   */
  static write (path: string, store: Uint8Array): BlockIndex {
    try {
      return usable(() => isCutShort(path) ? undefined : BlockIndex.#create(path, store), store, isUseless) ?? BlockIndex.#replace(path, store)
    } catch (err) {
      if (!isDatabaseError(err)) {
        throw err
      }

      if (isEmpty(path)) {
        return BlockIndex.temporary(store)
      }

      throw new StoreStateError('the index cannot be opened now, and nothing else may know what was lost: put right what the cause names, or remove the index', { path, cause: err })
    }
  }

  /** Opens the writer's index to read it, or answers undefined where it cannot be used. */
  static read (path: string, store: Uint8Array): BlockIndex | undefined {
    return usable(() => isCutShort(path) ? undefined : BlockIndex.#share(path), store, isDatabaseError)
  }

  /** An index of one's own, in a temporary file that nobody sees. */
  static temporary (store: Uint8Array): BlockIndex {
    return BlockIndex.#create('', store)
  }

  static #create (path: string, store: Uint8Array): BlockIndex {
    const database = openDatabase(path)

    try {
      database.exec(settings)

      // an index that is there already is opened without writing to it, and so without a sync
      const names = database.prepare('SELECT name FROM sqlite_schema').all().map(({ name }) => name)

      if (names.length === 0) {
        database.exec(`BEGIN; ${schema}`)
        database.prepare('INSERT INTO meta VALUES (?, ?), (?, ?)').run('store', store, 'layout', layoutVersion)
        database.exec('COMMIT')
      } else if (names.includes(`blocks${newSuffix}`)) {
        // a process was killed that made it anew; whoever does so again drops what it left, too
        unlessDatabaseError(() => { database.exec(dropNew) })
      }

      return new BlockIndex(connectionTo(database), path, false)
    } catch (err) {
      database.close()
      throw err
    }
  }

  static #replace (path: string, store: Uint8Array): BlockIndex {
    removeFiles(path)

    return BlockIndex.#create(path, store)
  }

  static #share (path: string): BlockIndex {
    const database = openDatabase(path, { readOnly: true })

    try {
      database.exec(settings)

      return new BlockIndex(connectionTo(database), path, true)
    } catch (err) {
      database.close()
      throw err
    }
  }

  /**
   * Begins to make the index anew, beside this one, which can be read until the new one takes its place: whatever happens
   * meanwhile, to this process or to those that read, there is a whole one.
   */
  remake (): BlockIndex {
    this.#endReading()
    this.#startLogging()
    // what was begun before was not ended
    this.#transact(`${dropNew} ${tables(newSuffix)}`)

    return new BlockIndex(this.#connection, this.#path, false, newSuffix)
  }

  /** Takes the place of the index beside which it was made, at once. */
  takePlace (): void {
    this.#endReading()
    this.#transact(['blocks', 'coverage'].map(name => `DROP TABLE ${name}; ALTER TABLE ${name}${this.#suffix} RENAME TO ${name};`).join(' '))
    this.#suffix = ''
    this.#find = this.#prepareFind()
  }

  /** Whether SQLite found that it is: then it is removed on closing, and made again out of the segments */
  get isDamaged (): boolean {
    return this.#connection.isDamaged
  }

  /** Whether it is of a store, as far as can be seen at a glance. */
  isOf (store: Uint8Array): boolean {
    this.coverage()
    this.find(new Uint8Array(0))
    const value = this.#meta('store')

    return this.#meta('layout') === layoutVersion && value instanceof Uint8Array && Buffer.compare(value, store) === 0
  }

  find (key: Uint8Array): Location | undefined {
    // within a transaction SQLite takes no locks for each look-up; it ends where somebody may write: here when we do, and
    // with the next turn of the event loop where the writer is another process
    if (!this.#connection.isReading) {
      this.#database.exec('BEGIN')
      this.#connection.isReading = true

      if (this.isShared) {
        setImmediate(() => {
          unlessDatabaseError(() => { this.#endReading() })
        })
      }
    }

    const row = this.#look(() => this.#find.get(key))

    return row === undefined ? undefined : locationOf(Number(row.segment), row)
  }

  coverage (): Map<number, Coverage> {
    return new Map(this.#look(() => this.#database.prepare(`SELECT * FROM coverage${this.#suffix}`).all()).map(row => [Number(row.segment), {
      length: Number(row.length),
      recordOffset: Number(row.record_offset),
      recordKey: row.record_key instanceof Uint8Array ? row.record_key : new Uint8Array(0),
      isDamaged: row.is_damaged !== 0,
      seen: Number(row.seen)
    }]))
  }

  /** All blocks, in any order. */
  blocks (): Generator<IndexedBlock> {
    return this.#iterate('')
  }

  /** All blocks of a segment, in the order of their bytes. */
  blocksOf (segment: number): Generator<IndexedBlock> {
    return this.#iterate('WHERE segment = ? ORDER BY offset', segment)
  }

  /** How many blocks stand in each segment. */
  blockCounts (): Map<number, number> {
    return new Map(this.#look(() => this.#database.prepare(`SELECT segment, COUNT(*) AS count FROM blocks${this.#suffix} GROUP BY segment`).all()).map(({ segment, count }) => [Number(segment), Number(count)]))
  }

  /** The sequence of the last record that the log is known to have had on the disk; 0 where none is known of */
  get acknowledged (): number {
    return Number(this.#meta('acknowledged') ?? 0)
  }

  set acknowledged (sequence: number) {
    if (!this.#connection.isApplying) {
      this.#endReading()
      this.#startLogging()
    }

    this.#database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run('acknowledged', sequence)
  }

  /**
   * Takes changes in one transaction, with turns of the event loop in between.
   *
   * @param changes - where blocks stand now
   * @param coverage - how far the segments are known with these changes; segments that are not in it are forgotten
   * @param options - a signal, which leaves the index as it was
   */
  async apply (changes: LocationTable, coverage: ReadonlyMap<number, Coverage>, options: AbortOptions = {}): Promise<void> {
    this.#endReading()
    this.#startLogging()
    this.#database.exec('BEGIN IMMEDIATE')

    try {
      const put = this.#database.prepare(`INSERT OR REPLACE INTO blocks${this.#suffix} VALUES (?, ?, ?, ?)`)
      const remove = this.#database.prepare(`DELETE FROM blocks${this.#suffix} WHERE key = ?`)
      // look-ups go on meanwhile, inside of this transaction
      this.#connection.isReading = true
      this.#connection.isApplying = true

      // in the order of the keys each page of the table is visited once
      for (const [key, location] of changes.roughlySorted()) {
        if (location === undefined) {
          remove.run(key)
        } else {
          put.run(key, location.segment, location.offset, location.length)
        }

        await pace(options)
      }

      this.#replaceCoverage(coverage)
      this.#database.exec('COMMIT')
    } catch (err) {
      this.#connection.isDamaged ||= isDamage(err)
      unlessDatabaseError(() => { this.#database.exec('ROLLBACK') })
      throw err
    } finally {
      this.#connection.isReading = false
      this.#connection.isApplying = false
    }
  }

  close (): void {
    unlessDatabaseError(() => {
      this.#endReading()

      if (!this.isShared) {
        // without files beside it, the index can be read in a directory that cannot be written. While a reader has it open,
        // it stays as it is, which is as good for all who may write
        this.#database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE')
      }
    })
    this.#database.close()

    if (this.#connection.isDamaged && !this.isShared && this.#path !== '') {
      removeFiles(this.#path)
    }
  }

  /** Readers go on while SQLite writes to a log of its own. */
  #startLogging (): void {
    if (!this.#connection.isLogging) {
      // the store's log is synced before the index says so, and NORMAL keeps the database whole after a power cut
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000')
      this.#connection.isLogging = true
    }
  }

  /** @throws {CorruptStoreError} where SQLite finds that the index is damaged */
  #look <T> (work: () => T): T {
    try {
      return work()
    } catch (err) {
      if (!isDamage(err)) {
        throw err
      }

      this.#connection.isDamaged = true
      throw new CorruptStoreError('the index is damaged; it is made anew when the store is opened for writing again', { path: this.#path, cause: err })
    }
  }

  * #iterate (which: string, ...values: number[]): Generator<IndexedBlock> {
    const rows = this.#look(() => this.#database.prepare(`SELECT key, segment, offset, length FROM blocks${this.#suffix} ${which}`).iterate(...values))

    for (let row = this.#look(() => rows.next()); row.done !== true; row = this.#look(() => rows.next())) {
      const { key, segment, offset, length } = row.value
      yield { key: key instanceof Uint8Array ? key : new Uint8Array(0), location: locationOf(Number(segment), { offset, length }) }
    }
  }

  #transact (statements: string): void {
    this.#look(() => {
      try {
        this.#database.exec(`BEGIN IMMEDIATE; ${statements}; COMMIT`)
      } catch (err) {
        unlessDatabaseError(() => { this.#database.exec('ROLLBACK') })
        throw err
      }
    })
  }

  #endReading (): void {
    if (this.#connection.isReading) {
      this.#connection.isReading = false
      this.#database.exec('COMMIT')
    }
  }

  #replaceCoverage (coverage: ReadonlyMap<number, Coverage>): void {
    const put = this.#database.prepare(`INSERT INTO coverage${this.#suffix} VALUES (?, ?, ?, ?, ?, ?)`)
    this.#database.exec(`DELETE FROM coverage${this.#suffix}`)

    for (const [segment, { length, recordOffset, recordKey, isDamaged, seen }] of coverage) {
      put.run(segment, length, recordOffset, recordKey, Number(isDamaged), seen)
    }
  }

  #prepareFind (): StatementSync {
    return this.#database.prepare(`SELECT segment, offset, length FROM blocks${this.#suffix} WHERE key = ?`)
  }

  get #database (): DatabaseSync {
    return this.#connection.database
  }

  #meta (name: string): unknown {
    return this.#database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value
  }
}

const newSuffix = '_new'
const dropNew = `DROP TABLE IF EXISTS blocks${newSuffix}; DROP TABLE IF EXISTS coverage${newSuffix};`

// readers look up for no longer than a turn of the event loop
const settings = 'PRAGMA busy_timeout = 500; PRAGMA cache_size = -16384; PRAGMA mmap_size = 33554432'

function connectionTo (database: DatabaseSync): Connection {
  return { database, isReading: false, isApplying: false, isLogging: false, isDamaged: false }
}

/** Answers undefined where there is no index of the store, or opening it fails in a way that was expected. */
function usable (open: () => BlockIndex | undefined, store: Uint8Array, isExpected: (err: unknown) => boolean): BlockIndex | undefined {
  let index: BlockIndex | undefined

  try {
    index = open()

    if (index?.isOf(store) === true) {
      return index
    }
  } catch (err) {
    if (!isExpected(err) && !(err instanceof CorruptStoreError)) {
      index?.close()
      throw err
    }
  }

  index?.close()

  return undefined
}

/** Whether an index is damaged, or its layout is another one. Whatever else keeps SQLite from it says nothing of what is in it. */
function isUseless (err: unknown): boolean {
  return isDamage(err) || isUnknownLayout(err)
}

/** SQLite has no checksums: what cannot be said of a block becomes what no block is found at, and nothing large is read. */
function locationOf (segment: number, { offset, length }: Readonly<Record<string, unknown>>): Location {
  const isPossible = Number(offset) >= 0 && Number(length) >= 0 && Number(length) <= maxBlockBytes

  return { segment, offset: isPossible ? Number(offset) : 0, length: isPossible ? Number(length) : 0 }
}
