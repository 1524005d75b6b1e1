import { throwIfAborted } from '../abort.ts'
import { checkName, checkRecord } from './check-record.ts'
import { isSameRecord } from './same-record.ts'
import type { RootStore } from './store.ts'

/**
 * Keeps roots in memory: for tests, and for handles that share a `MemoryBlockstore`. Whoever holds the same object shares
 * its names.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, memoryRoots } from 'dagfs'
 *
 * const blockstore = new MemoryBlockstore()
 * const roots = memoryRoots()
 * const fs = dagfs({ blockstore }, { name: 'site', roots })
 * await fs.addAll([{ path: '/index.html', content: 'hello' }])
 * await fs.commit()
 *
 * const later = dagfs({ blockstore }, { name: 'site', roots })
 * console.log(await later.readFile('/index.html', 'utf8')) // hello
 * ```
 */
export function memoryRoots (): RootStore {
  const records = new Map<string, Uint8Array>()

  return {
    async get (name, options) {
      checkName(name)
      throwIfAborted(options?.signal)

      return records.get(name)?.slice()
    },

    async compareAndSet (name, expected, next, options) {
      checkRecord(name, next)
      throwIfAborted(options?.signal)

      if (!isSameRecord(records.get(name), expected)) {
        return false
      }

      next === undefined ? records.delete(name) : records.set(name, next.slice())

      return true
    },

    async * names (options) {
      for (const name of [...records.keys()]) {
        throwIfAborted(options?.signal)
        yield name
      }
    }
  }
}
