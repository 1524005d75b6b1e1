import { CorruptStoreError, StoreStateError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { isDamage, isDatabaseError, isUnknownLayout, unlessDatabaseError } from '../files/database-error.ts'
import { maxBlockBytes } from '../format/section.ts'
import { IndexConnection } from './index-connection.ts'
import { isEmpty, removeFiles } from './index-file.ts'
import { RowBatch } from './row-batch.ts'
import type { LocationTable } from './location-table.ts'
import type { AbortOptions } from '../../options.ts'
import type { Location } from '../format/locations.ts'
import type { SQLOutputValue, StatementSync } from 'node:sqlite'

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

/** What the index says of the log */
export interface LogKnown {
  /** How far the segments are known; those that are not in it are forgotten */
  readonly coverage: ReadonlyMap<number, Coverage>
  /** The sequence of a record that is on the disk; what the index has is left where that is higher */
  readonly acknowledged?: number
}

export interface IndexedBlock {
  readonly key: Uint8Array
  readonly location: Location
}

const layoutVersion = 3

/** Segments count from 1: an index that lies over another one has this where a block is gone */
export const gone = 0

// a page for each of them fits into SQLite's memory, and is in the file in some 20 ms
const fewChanges = 1_000

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

/**
 * Finds blocks by key. It is a cache of what the segments say, and may be removed at any time.
 */
export class BlockIndex {
  readonly #connection: IndexConnection
  /** Of its tables' names; empty but for one that is being made beside another one */
  #suffix: string
  /** Whether it remembers which blocks are gone, since it lies over another one */
  readonly #keepsGone: boolean
  #find: StatementSync | undefined

  private constructor (connection: IndexConnection, { suffix = '', keepsGone = false } = {}) {
    this.#connection = connection
    this.#suffix = suffix
    this.#keepsGone = keepsGone
  }

  /**
   * Opens the index of a store for its writer, making a new one where there is none, or one of no use: damaged, cut short,
   * of another store or another layout.
   *
   * @throws {StoreStateError} where there is one, and SQLite cannot open it for now: nobody else may know what was lost
   */
  static write (path: string, store: Uint8Array): BlockIndex {
    try {
      return usable(() => BlockIndex.#create(path, store), store, isUseless) ?? BlockIndex.#replace(path, store)
    } catch (err) {
      if (!isDatabaseError(err)) {
        throw err
      }

      if (isEmpty(path)) {
        return BlockIndex.temporary(store)
      }

      throw new StoreStateError('the index cannot be opened, and only it may know what was lost: resolve the cause, or remove the index', { path, cause: err })
    }
  }

  /** Opens the writer's index to read it, or returns undefined where it cannot be used. */
  static read (path: string, store: Uint8Array): BlockIndex | undefined {
    return usable(() => new BlockIndex(IndexConnection.open(path, { isShared: true })), store, err => isDatabaseError(err) || err instanceof StoreStateError)
  }

  /** The id of the store that an index is of; undefined where there is none, or it cannot be read. */
  static storeOf (path: string): Uint8Array | undefined {
    let index: BlockIndex | undefined

    try {
      index = new BlockIndex(IndexConnection.open(path, { isShared: true }))
      const value = index.#meta('store')

      return value instanceof Uint8Array ? value : undefined
    } catch (err) {
      if (isDatabaseError(err) || err instanceof CorruptStoreError || err instanceof StoreStateError) {
        return undefined
      }

      throw err
    } finally {
      index?.close()
    }
  }

  /** An index of one's own, in a temporary file that nobody sees. */
  static temporary (store: Uint8Array, layer: { readonly keepsGone?: boolean } = {}): BlockIndex {
    return BlockIndex.#create('', store, layer)
  }

  static #create (path: string, store: Uint8Array, layer: { readonly keepsGone?: boolean } = {}): BlockIndex {
    return new BlockIndex(IndexConnection.open(path, {}, database => {
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
    }), layer)
  }

  static #replace (path: string, store: Uint8Array): BlockIndex {
    removeFiles(path)

    return BlockIndex.#create(path, store)
  }

  /**
   * Begins to make the index anew, beside this one, which can be read until the new one takes its place: whatever happens
   * meanwhile, to this process or to those that read, there is a whole one.
   */
  remake (): BlockIndex {
    this.#connection.startLogging()
    // what was begun before was not ended
    this.#connection.transact(`${dropNew} ${tables(newSuffix)}`)

    return new BlockIndex(this.#connection, { suffix: newSuffix })
  }

  /** Takes the place of the index beside which it was made, at once. */
  takePlace (): void {
    this.#connection.transact(['blocks', 'coverage'].map(name => `DROP TABLE ${name}; ALTER TABLE ${name}${this.#suffix} RENAME TO ${name};`).join(' '))
    this.#suffix = ''
    this.#find = undefined
  }

  /** Its file; empty for one that nobody sees */
  get path (): string {
    return this.#connection.path
  }

  /** Whether it is the writer's, which others only read */
  get isShared (): boolean {
    return this.#connection.isShared
  }

  /** Whether SQLite found that it is */
  get isDamaged (): boolean {
    return this.#connection.isDamaged
  }

  /** Whether it cannot be read, be it for now or for ever */
  get isUnreadable (): boolean {
    return this.#connection.isUnreadable
  }

  /** Whether it is all there and of a store, as far as can be seen at a glance. */
  isOf (store: Uint8Array): boolean {
    if (this.#connection.isCutShort) {
      return false
    }

    this.coverage()
    this.find(new Uint8Array(0))
    const value = this.#meta('store')

    return this.#meta('layout') === layoutVersion && value instanceof Uint8Array && Buffer.compare(value, store) === 0
  }

  find (key: Uint8Array): Location | undefined {
    const row = this.#connection.lookUp(() => {
      this.#find ??= this.#connection.database.prepare(`SELECT segment, offset, length FROM blocks${this.#suffix} WHERE key = ?`)

      return this.#find.get(key)
    })

    return row === undefined ? undefined : locationOf(Number(row.segment), row)
  }

  coverage (): Map<number, Coverage> {
    return new Map(this.#all(`SELECT * FROM coverage${this.#suffix}`).map(row => [Number(row.segment), {
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
    return new Map(this.#all(`SELECT segment, COUNT(*) AS count FROM blocks${this.#suffix} GROUP BY segment`).map(({ segment, count }) => [Number(segment), Number(count)]))
  }

  /** The sequence of the last record that the log is known to have had on the disk; 0 where none is known of */
  get acknowledged (): number {
    return Number(this.#meta('acknowledged') ?? 0)
  }

  set acknowledged (sequence: number) {
    this.#connection.change(() => {
      this.#connection.database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run('acknowledged', sequence)
    })
  }

  /**
   * Takes changes in one transaction, with turns of the event loop in between.
   *
   * @param changes - where blocks stand now
   * @param known - what holds with these changes
   * @param options - a signal, which leaves the index as it was
   */
  async apply (changes: LocationTable, known: LogKnown, options: AbortOptions = {}): Promise<void> {
    const { coverage, acknowledged = 0 } = known
    const { database } = this.#connection

    if (changes.size > fewChanges) {
      this.#connection.startLogging()
    }

    await this.#connection.write(async () => {
      const rows = new RowBatch(database, `blocks${this.#suffix}`, 4)
      const remove = database.prepare(`DELETE FROM blocks${this.#suffix} WHERE key = ?`)

      // in the order of the keys each page of the table is visited once
      for (const [key, location] of changes.roughlySorted()) {
        if (location !== undefined) {
          rows.add(key, location.segment, location.offset, location.length)
        } else if (this.#keepsGone) {
          rows.add(key, gone, 0, 0)
        } else {
          remove.run(key)
        }

        await pace(options)
      }

      rows.finish()
      this.#replaceCoverage(coverage)

      if (acknowledged > this.acknowledged) {
        this.acknowledged = acknowledged
      }
    })
  }

  close (): void {
    this.#connection.close()
  }

  * #iterate (which: string, ...values: number[]): Generator<IndexedBlock> {
    for (const { key, segment, offset, length } of this.#connection.rows(`SELECT key, segment, offset, length FROM blocks${this.#suffix} ${which}`, ...values)) {
      yield { key: key instanceof Uint8Array ? key : new Uint8Array(0), location: locationOf(Number(segment), { offset, length }) }
    }
  }

  #all (query: string): Array<Record<string, SQLOutputValue>> {
    return this.#connection.read(() => this.#connection.database.prepare(query).all())
  }

  #replaceCoverage (coverage: ReadonlyMap<number, Coverage>): void {
    const { database } = this.#connection
    const put = database.prepare(`INSERT INTO coverage${this.#suffix} VALUES (?, ?, ?, ?, ?, ?)`)
    database.exec(`DELETE FROM coverage${this.#suffix}`)

    for (const [segment, { length, recordOffset, recordKey, isDamaged, seen }] of coverage) {
      put.run(segment, length, recordOffset, recordKey, Number(isDamaged), seen)
    }
  }

  #meta (name: string): unknown {
    return this.#connection.read(() => this.#connection.database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value)
  }
}

const newSuffix = '_new'
const dropNew = `DROP TABLE IF EXISTS blocks${newSuffix}; DROP TABLE IF EXISTS coverage${newSuffix};`

/** Returns undefined where there is no index of the store, or opening it fails in a way that was expected. */
function usable (open: () => BlockIndex, store: Uint8Array, isExpected: (err: unknown) => boolean): BlockIndex | undefined {
  let index: BlockIndex | undefined

  try {
    index = open()

    if (index.isOf(store)) {
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
