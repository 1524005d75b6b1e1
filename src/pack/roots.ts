import pLimit from 'p-limit'
import { throwIfAborted } from '../abort.ts'
import { checkName, checkRecord } from '../roots/index.ts'
import { isStorable, keyOf } from './format/section.ts'
import { writerOf } from './open-store.ts'
import type { OpenStore } from './open-store.ts'
import type { Durability } from './options.ts'
import type { AbortOptions } from '../options.ts'
import type { RootStore } from '../roots/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * The named roots of a pack store: small values, each of which stands in the log's last record with all others. One is
 * set under the store's lock, and with `durability: 'commit'` the call resolves when it and all blocks put before are on
 * the disk.
 *
 * @example
 *
 * ```ts
 * import { dagfs } from 'dagfs'
 * import { PackBlockstore } from 'dagfs/pack'
 *
 * const blockstore = new PackBlockstore('./store')
 * await blockstore.open()
 * const fs = dagfs({ blockstore }, { name: 'site', roots: blockstore.roots })
 * await fs.writeFile('/index.html', 'hello')
 * await fs.commit()
 *
 * for await (const name of blockstore.roots.names()) {
 *   console.log(name) // site
 * }
 *
 * await blockstore.close()
 * ```
 */
export class PackRoots implements RootStore {
  /**
   * Whether the store has a block: then setting a root makes it durable, and all that were put before. Not there with
   * `durability: 'none'`
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
   * await fs.writeFile('/hello.txt', 'hello')
   * const { root } = await fs.commit()
   * console.log(await blockstore.roots.syncsBlock?.(root)) // true
   * await blockstore.close()
   * ```
   */
  readonly syncsBlock?: (cid: CID) => Promise<boolean>
  /**
   * Resolves once all that was set before survives a power cut. Not there with `durability: 'none'`.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * await blockstore.roots.compareAndSet('mark', undefined, Uint8Array.of(1))
   * await blockstore.roots.sync?.()
   * await blockstore.close()
   * ```
   */
  readonly sync?: (options?: AbortOptions) => Promise<void>
  readonly #store: () => OpenStore
  readonly #mutex = pLimit(1)

  constructor (store: () => OpenStore, durability: Durability) {
    this.#store = store

    if (durability === 'commit') {
      this.syncsBlock = async cid => isStorable(cid) && this.#store().session.find(keyOf(cid)) !== undefined
      this.sync = async ({ signal } = {}) => {
        throwIfAborted(signal)
        // of a store that is open for reading, the writer syncs what can be read
        await this.#store().writer?.sync()
      }
    }
  }

  /**
   * The value of a name, or undefined where it was never set. In a store opened for reading it is the newest one.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * console.log(await blockstore.roots.get('mark')) // undefined
   * await blockstore.close()
   * ```
   */
  async get (name: string, { signal }: AbortOptions = {}): Promise<Uint8Array | undefined> {
    checkName(name)
    throwIfAborted(signal)
    const { session } = this.#store()
    await session.follower?.refresh()

    return session.roots.get(name)?.slice()
  }

  /**
   * Sets a name where its value still is `expected`, undefined standing for none, and returns whether it did. Where `next`
   * is undefined, it removes the name.
   *
   * @throws {StoreStateError} where the store was opened for reading
   * @throws {InvalidOptionError} for a name that is not well-formed, or a value that is not bytes
   * @throws {LimitExceededError} where all names and values together would pass 1,984 KiB
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * console.log(await blockstore.roots.compareAndSet('mark', undefined, Uint8Array.of(1))) // true
   * console.log(await blockstore.roots.compareAndSet('mark', undefined, Uint8Array.of(2))) // false
   * console.log(await blockstore.roots.get('mark')) // Uint8Array(1) [ 1 ]
   * await blockstore.close()
   * ```
   */
  async compareAndSet (name: string, expected: Uint8Array | undefined, next: Uint8Array | undefined, { signal }: AbortOptions = {}): Promise<boolean> {
    checkRecord(name, next)

    return this.#mutex(async () => {
      throwIfAborted(signal)
      const store = this.#store()
      await store.session.follower?.refresh()
      const current = store.session.roots.get(name)

      if (current === undefined || expected === undefined ? current !== expected : Buffer.compare(current, expected) !== 0) {
        return false
      }

      const roots = new Map(store.session.roots)

      if (next === undefined) {
        if (!roots.delete(name)) {
          return true
        }
      } else {
        roots.set(name, next.slice())
      }

      await writerOf(store).publish(roots)

      return true
    })
  }

  /**
   * The names that are set.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * await blockstore.roots.compareAndSet('mark', undefined, Uint8Array.of(1))
   *
   * for await (const name of blockstore.roots.names()) {
   *   console.log(name) // mark
   * }
   *
   * await blockstore.close()
   * ```
   */
  async * names ({ signal }: AbortOptions = {}): AsyncGenerator<string> {
    const { session } = this.#store()
    await session.follower?.refresh()

    for (const name of [...session.roots.keys()]) {
      throwIfAborted(signal)
      yield name
    }
  }
}
