import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * Keeps named roots: a small record for each name, which is set only where it still is what the caller has read. One
 * root store belongs to one blockstore, since `fs.gc()` keeps what the roots in it reach and nothing else.
 */
export interface RootStore {
  /**
   * The record under a name, or undefined where there is none.
   *
   * @example
   *
   * ```ts
   * import { memoryRoots } from 'dagfs'
   *
   * const roots = memoryRoots()
   * await roots.compareAndSet('mark', undefined, Uint8Array.of(1))
   * console.log(await roots.get('mark')) // Uint8Array(1) [ 1 ]
   * ```
   */
  get(name: string, options?: AbortOptions): Promise<Uint8Array | undefined>

  /**
   * Sets a record where it still is `expected`, and removes it where `next` is undefined. Returns whether it did. Nobody
   * else who can open the store comes between the comparison and the change.
   *
   * To remove the name of a filesystem, prefer `fs.unpublish()`, which also drops the pin of the root.
   *
   * @example
   *
   * ```ts
   * import { memoryRoots } from 'dagfs'
   *
   * const roots = memoryRoots()
   * await roots.compareAndSet('draft', undefined, Uint8Array.of(1))
   * // the name is free again
   * await roots.compareAndSet('draft', await roots.get('draft'), undefined)
   * console.log(await roots.get('draft')) // undefined
   * ```
   *
   * @throws {InvalidOptionError} for a name that is not well-formed Unicode
   */
  compareAndSet(name: string, expected: Uint8Array | undefined, next: Uint8Array | undefined, options?: AbortOptions): Promise<boolean>

  /**
   * All names that have a record, in any order.
   *
   * @example
   *
   * ```ts
   * import { memoryRoots } from 'dagfs'
   *
   * const roots = memoryRoots()
   * await roots.compareAndSet('mark', undefined, Uint8Array.of(1))
   *
   * for await (const name of roots.names()) {
   *   console.log(name) // mark
   * }
   * ```
   */
  names(options?: AbortOptions): AsyncIterable<string>

  /**
   * Returns true where setting a root puts this block, and all that the blockstore took before it, on the disk: blockstore and
   * roots are one store then, with one sync, where otherwise there are two.
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
   * const { root, durability } = await fs.commit()
   * console.log(await blockstore.roots.syncsBlock?.(root), durability) // true commit
   * await blockstore.close()
   * ```
   */
  syncsBlock?(cid: CID): Promise<boolean>

  /**
   * Resolves once all that was set before survives a power cut. Stores that cannot say so do not have it.
   *
   * @example
   *
   * ```ts
   * import { diskRoots } from 'dagfs/disk-roots'
   *
   *
   * const roots = diskRoots('./roots.sqlite')
   * await roots.compareAndSet('mark', undefined, Uint8Array.of(1))
   * await roots.sync?.()
   * roots.close()
   * ```
   */
  sync?(options?: AbortOptions): Promise<void>
}
