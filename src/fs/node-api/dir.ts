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
 *   console.log(entry.name, entry.isDirectory()) // old true
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
   * @example
   *
   * ```ts
   * await fs.addAll(['1.jpg', '2.jpg'].map(name => ({ path: `/photos/${name}`, content: name })))
   * await using photos = await fs.opendir('/photos')
   * console.log((await photos.read())?.name, (await photos.read())?.name, await photos.read()) // 1.jpg 2.jpg null
   * ```
   *
   * @throws {DirectoryClosedError} once it is closed
   */
  async read (): Promise<Dirent | null> {
    this.#checkOpen()
    const { done, value } = await this.#entries.next()

    return done === true ? null : value
  }

  /**
   * Closes the directory.
   *
   * @example
   *
   * ```ts
   * await fs.mkdir('/inbox')
   * const inbox = await fs.opendir('/inbox')
   * const isEmpty = await inbox.read() === null
   * await inbox.close()
   * console.log(isEmpty) // true
   * ```
   *
   * @throws {DirectoryClosedError} where it is closed already
   */
  async close (): Promise<void> {
    this.#checkOpen()
    this.#isClosed = true
    await this.#entries.return(undefined)
  }

  /**
   * All entries; closes the directory at the end.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }, { path: '/todo.md', content: 'sleep' }])
   * const root = await fs.opendir('/', { recursive: true })
   *
   * for await (const { parentPath, name } of root) {
   *   console.log(parentPath, name) // / notes, /notes today.md, / todo.md
   * }
   * ```
   */
  async * [Symbol.asyncIterator] (): AsyncGenerator<Dirent> {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) {
        yield entry
      }
    } finally {
      await this.close()
    }
  }

  /**
   * Closes the directory at the end of an `await using`, where it is still open.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', 'hello')
   * await using root = await fs.opendir('/')
   *
   * // closed however this ends
   * if ((await root.read())?.isFile() === true) {
   *   console.log('begins with a file') // begins with a file
   * }
   * ```
   */
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
