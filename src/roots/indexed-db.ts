import { openDB } from 'idb'
import { throwIfAborted } from '../abort.ts'
import { InvalidOptionError } from '../errors.ts'
import { checkName, checkRecord } from './check-record.ts'
import { isSameRecord } from './same-record.ts'
import type { RootStore } from './store.ts'
import type { DBSchema, IDBPDatabase } from 'idb'

const storeName = 'roots'

interface RootsSchema extends DBSchema {
  roots: { key: string, value: Uint8Array }
}

/** Roots in IndexedDB. The database is opened on first use and again after `close`. */
export interface IndexedDbRoots extends RootStore {
  /**
   * Closes the database, so that it can be deleted.
   *
   * @example
   *
   * ```ts
   * import { indexedDbRoots } from 'dagfs'
   *
   * export async function forget () {
   *   const roots = indexedDbRoots('notes-roots')
   *   await roots.compareAndSet('notes', await roots.get('notes'), undefined)
   *   await roots.close()
   *   indexedDB.deleteDatabase('notes-roots')
   * }
   * ```
   */
  close(): Promise<void>
}

/**
 * Keeps roots in a database of IndexedDB, for browsers. All tabs and workers of an origin share it: a record is compared
 * and set in one transaction of durability `strict`. Blocks are in a database of their own, which the browser may write
 * out later than this one, or evict alone: see `fs.opened()` for a root whose block is missing.
 *
 * @param database - the name of the database, other than that of the blockstore
 *
 * @example
 *
 * ```ts
 * import { IDBBlockstore } from 'blockstore-idb'
 * import { dagfs, indexedDbRoots } from 'dagfs'
 *
 * export async function open () {
 *   const blockstore = new IDBBlockstore('notes-blocks')
 *   await blockstore.open()
 *
 *   return dagfs({ blockstore }, { name: 'notes', roots: indexedDbRoots('notes-roots') })
 * }
 * ```
 *
 * @throws {InvalidOptionError} where `database` is no text; on first use, where it is a database of something else
 */
export function indexedDbRoots (database: string): IndexedDbRoots {
  if (typeof database !== 'string') {
    throw new InvalidOptionError('database', 'must be the name of a database')
  }

  let opened: Promise<IDBPDatabase<RootsSchema>> | undefined

  async function forget (): Promise<void> {
    const closing = opened
    opened = undefined
    const db = await closing
    db?.close()
  }

  async function open (): Promise<IDBPDatabase<RootsSchema>> {
    opened ??= openDB<RootsSchema>(database, 1, {
      upgrade (db) {
        db.createObjectStore(storeName)
      },
      // somebody wants to delete the database, or the browser has closed it
      blocking: () => { forget().catch(() => {}) },
      terminated: () => { opened = undefined }
    })

    try {
      const db = await opened

      if (!db.objectStoreNames.contains(storeName)) {
        await forget()
        throw new InvalidOptionError('database', 'is not a database of roots; name another', { path: database })
      }

      return db
    } catch (err) {
      opened = undefined
      throw err
    }
  }

  return {
    async get (name, options) {
      checkName(name)
      const db = await open()
      throwIfAborted(options?.signal)

      return db.get(storeName, name)
    },

    async compareAndSet (name, expected, next, options) {
      checkRecord(name, next)
      const db = await open()
      throwIfAborted(options?.signal)
      const transaction = db.transaction(storeName, 'readwrite', { durability: 'strict' })
      const isExpected = isSameRecord(await transaction.store.get(name), expected)

      if (isExpected) {
        // a view would be stored with all of its buffer
        await (next === undefined ? transaction.store.delete(name) : transaction.store.put(next.slice(), name))
      }

      await transaction.done

      return isExpected
    },

    async * names (options) {
      const db = await open()

      for (const name of await db.getAllKeys(storeName)) {
        throwIfAborted(options?.signal)
        yield name
      }
    },

    close: forget
  }
}
