import { cidOfKey } from '../format/section.ts'
import type { Places } from '../format/locate.ts'
import type { CID } from 'multiformats/cid'

/**
 * The blocks that one read of the log brought: places in a buffer, which the next step of the scan overwrites. No object
 * is made for a block unless it is asked for.
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
 * for await (const batch of blockstore.scan()) {
 *   console.log(batch.length, batch.ends[0] - batch.starts[0]) // 1 26
 * }
 * await blockstore.close()
 * ```
 */
export class BlockBatch {
  /** What was read; the i-th block stands in it from `starts[i]` to `ends[i]` */
  readonly bytes: Uint8Array
  /** How many blocks there are */
  readonly length: number
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly #keys: Uint32Array

  constructor (bytes: Uint8Array, length: number, { keys, starts, ends }: Places) {
    this.bytes = bytes
    this.length = length
    this.starts = starts
    this.ends = ends
    this.#keys = keys
  }

  /**
   * The CID of the i-th block, of version 1.
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
   * for await (const batch of blockstore.scan()) {
   *   console.log(batch.cid(0).equals(root)) // true
   * }
   * await blockstore.close()
   * ```
   */
  cid (i: number): CID {
    return cidOfKey(this.bytes.slice(this.#keys[i], this.starts[i]))
  }

  /**
   * The bytes of the i-th block, as a view that lasts until the next step of the scan.
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
   * for await (const batch of blockstore.scan()) {
   *   console.log(batch.data(0).byteLength) // 26
   * }
   * await blockstore.close()
   * ```
   */
  data (i: number): Uint8Array {
    return this.bytes.subarray(this.starts[i], this.ends[i])
  }
}
