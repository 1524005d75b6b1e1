import { Key } from 'interface-datastore/key'
import { base32 } from 'multiformats/bases/base32'
import pLimit from 'p-limit'
import { throwIfAborted } from '../abort.ts'
import { InvalidOptionError } from '../errors.ts'
import { checkName, checkRecord } from './check-record.ts'
import { isSameRecord } from './same-record.ts'
import type { RootStore } from './store.ts'
import type { AbortOptions } from '../options.ts'
import type { Datastore } from 'interface-datastore'

const prefix = '/dagfs/roots/'

/** What is needed of an `interface-datastore`. A Helia node has one as `helia.datastore`. `delete` is needed to remove names. */
export type RootDatastore = Pick<Datastore, 'get' | 'put' | 'queryKeys'> & Partial<Pick<Datastore, 'delete'>>

type Limit = ReturnType<typeof pLimit>

const locks = new WeakMap<RootDatastore, Limit>()

/**
 * Keeps roots in any `interface-datastore`. Datastores cannot compare and set, so this is done under a lock that all who
 * pass the same datastore object share. **It is safe within one process or page alone**: two processes, two tabs, or two
 * datastore objects over one directory can lose each other's commits. For those there are `diskRoots` and
 * `indexedDbRoots`.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, datastoreRoots } from 'dagfs'
 * import { MemoryDatastore } from 'datastore-core'
 *
 * const roots = datastoreRoots(new MemoryDatastore())
 * const fs = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'site', roots })
 * await fs.commit()
 * ```
 *
 * @throws {InvalidOptionError} where `datastore` is none
 */
export function datastoreRoots (datastore: RootDatastore): RootStore {
  if (typeof datastore?.get !== 'function' || typeof datastore.put !== 'function' || typeof datastore.queryKeys !== 'function') {
    throw new InvalidOptionError('datastore', 'must be an interface-datastore')
  }

  const exclusively = lockOf(datastore)

  return {
    async get (name, options) {
      checkName(name)
      throwIfAborted(options?.signal)

      return read(datastore, name, options)
    },

    async compareAndSet (name, expected, next, options) {
      checkRecord(name, next)

      return exclusively(async () => {
        throwIfAborted(options?.signal)

        if (!isSameRecord(await read(datastore, name, options), expected)) {
          return false
        }

        await write(datastore, name, next, options)

        return true
      })
    },

    async * names (options) {
      for await (const key of datastore.queryKeys({ prefix }, options)) {
        yield nameOf(key)
      }
    }
  }
}

function lockOf (datastore: RootDatastore): Limit {
  const lock = locks.get(datastore) ?? pLimit(1)
  locks.set(datastore, lock)

  return lock
}

async function read (datastore: RootDatastore, name: string, options?: AbortOptions): Promise<Uint8Array | undefined> {
  try {
    return (await datastore.get(keyOf(name), options)).slice()
  } catch (err) {
    if (err instanceof Error && err.name === 'NotFoundError') {
      return
    }

    throw err
  }
}

async function write (datastore: RootDatastore, name: string, next: Uint8Array | undefined, options?: AbortOptions): Promise<void> {
  if (next !== undefined) {
    await datastore.put(keyOf(name), next.slice(), options)
  } else if (datastore.delete === undefined) {
    throw new InvalidOptionError('datastore', 'must have `delete` to remove a name')
  } else {
    await datastore.delete(keyOf(name), options)
  }
}

/** Some datastores make files of keys, on hosts where case may not tell names apart. */
function keyOf (name: string): Key {
  return new Key(prefix + base32.encode(new TextEncoder().encode(name)))
}

function nameOf (key: Key): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(base32.decode(key.toString().slice(prefix.length)))
}
