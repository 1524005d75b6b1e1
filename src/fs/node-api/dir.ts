/// <reference lib="esnext.disposable" preserve="true" />
import { DirectoryClosedError } from '../../errors.ts'
import type { Dirent } from './dirent.ts'

/**
 * A directory that is open, as Node's `Dir`: lists it entry by entry, as it was when the listing began.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.mkdir('/notes/old', { recursive: true })
 *
 * for await (const entry of await fs.opendir('/notes')) {
 *   console.log(entry.name, entry.isDirectory())
 * }
 * ```
 */
export class Dir implements AsyncIterable<Dirent> {
  /** The path as it was given */
  readonly path: string
  readonly #entries: AsyncGenerator<Dirent>
  #isClosed = false

  constructor (path: string, entries: AsyncGenerator<Dirent>) {
    this.path = path
    this.#entries = entries
  }

  /**
   * The next entry; null at the end.
   *
   * @throws {DirectoryClosedError} once it is closed
   */
  async read (): Promise<Dirent | null> {
    this.#checkOpen()
    const { done, value } = await this.#entries.next()

    return done === true ? null : value
  }

  /**
   * @throws {DirectoryClosedError} where it is closed already
   */
  async close (): Promise<void> {
    this.#checkOpen()
    this.#isClosed = true
    await this.#entries.return(undefined)
  }

  /** All entries; closes the directory at the end. */
  async * [Symbol.asyncIterator] (): AsyncGenerator<Dirent> {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) {
        yield entry
      }
    } finally {
      await this.close()
    }
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    if (!this.#isClosed) {
      await this.close()
    }
  }

  #checkOpen (): void {
    if (this.#isClosed) {
      throw new DirectoryClosedError()
    }
  }
}
