import fs from 'node:fs'
import path from 'node:path'
import { UnsupportedEntryError } from '../../errors.ts'
import { hasOpenStoreIn, hasOpenStores, isOpenStore } from '../../open-stores.ts'

/**
 * The stores that this process has open below a host directory: pack stores by their directories, roots by their files.
 */
export class OpenStores {
  readonly #root: string
  readonly #realRoot: string

  private constructor (root: string, realRoot: string) {
    this.#root = root
    this.#realRoot = realRoot
  }

  /**
   * Answers undefined where there are none.
   *
   * @throws {Error} what `node:fs` throws where the directory is not there
   */
  static below (root: string): OpenStores | undefined {
    const realRoot = hasOpenStores() ? fs.realpathSync.native(root) : undefined

    return realRoot !== undefined && hasOpenStoreIn(realRoot) ? new OpenStores(root, realRoot) : undefined
  }

  /**
   * Checks what is about to be read.
   *
   * @throws {UnsupportedEntryError} where it is an open store
   */
  checkRead (hostPath: string): void {
    if (isOpenStore(this.#real(hostPath))) {
      throw new UnsupportedEntryError('a store that this process has open cannot be imported, since reading its files would end its locks: leave it out with `ignore`, or close it first', { path: hostPath })
    }
  }

  /**
   * Checks where something is about to be put.
   *
   * @throws {UnsupportedEntryError} where an open store is
   */
  checkPlaced (hostPath: string): void {
    if (isOpenStore(this.#real(hostPath))) {
      throw new UnsupportedEntryError('nothing is exported to where a store is that this process has open, since its files and locks would be lost: export elsewhere, or close it first', { path: hostPath })
    }
  }

  /**
   * Checks what is about to be removed.
   *
   * @throws {UnsupportedEntryError} where it is an open store, or has one in it
   */
  checkRemoved (hostPath: string): void {
    if (hasOpenStoreIn(this.#real(hostPath))) {
      throw new UnsupportedEntryError('a store that this process has open is not removed: export elsewhere, without `delete`, or close it first', { path: hostPath })
    }
  }

  /** Links below the directory are never followed, so that what is there is at the same place below the real one. */
  #real (hostPath: string): string {
    return path.join(this.#realRoot, hostPath.slice(this.#root.length))
  }
}
