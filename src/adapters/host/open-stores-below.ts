import fs from 'node:fs'
import path from 'node:path'
import { UnsupportedEntryError } from '../../errors.ts'
import { openStoreChanges, openStorePaths } from '../../open-stores.ts'
import { inUse, isInUse, isStoreInUse, pathsInUse, pathsInUseNow } from './files-in-use.ts'
import type { EntryInfo } from '../../fs/index.ts'

/**
 * The stores that this process has open below a host directory: pack stores by their directories, roots by their files. What
 * this thread has open is known from the stores themselves, what others have open from the system.
 */
export class OpenStores {
  readonly #root: string
  /** Found when it first matters */
  #realRoot: string | undefined
  #changes = -1
  #inProcess: ReadonlySet<string> | undefined
  /** Their real paths, as of then */
  #paths: ReadonlySet<string> = new Set()

  constructor (root: string) {
    this.#root = root
  }

  /** Whether what is in a directory has to be checked: where nothing of it is open, nobody asks for each of its files. */
  hasIn (directory: string): boolean {
    const paths = this.#pathsAmong(pathsInUse())

    return paths.size > 0 && hasPathIn(paths, this.#real(directory))
  }

  /**
   * Checks what is about to be read.
   *
   * @throws {UnsupportedEntryError} where it is an open store
   */
  checkRead (hostPath: string): void {
    if (this.#isOpen(hostPath)) {
      throw inUse(hostPath)
    }
  }

  /**
   * Checks where something is about to be put.
   *
   * @throws {UnsupportedEntryError} where an open store is
   */
  checkPlaced (hostPath: string, kind: EntryInfo['kind']): void {
    if (this.#isOpen(hostPath) || isInUse(hostPath) || (kind === 'directory' && isStoreInUse(hostPath))) {
      throw new UnsupportedEntryError('this process has a store or database open there, whose files and locks would be lost: export elsewhere, or close it first', { path: hostPath })
    }
  }

  /**
   * Checks what is about to be removed.
   *
   * @throws {UnsupportedEntryError} where it is an open store, or has one in it
   */
  checkRemoved (hostPath: string): void {
    const paths = this.#pathsAmong(pathsInUseNow())

    if (paths.size > 0 && hasPathIn(paths, this.#real(hostPath))) {
      throw new UnsupportedEntryError('an open store or database of this process is not removed: export elsewhere, without `delete`, or close it first', { path: hostPath })
    }
  }

  #isOpen (hostPath: string): boolean {
    // what was open lately may have been closed since
    return this.#has(hostPath, pathsInUse()) && this.#has(hostPath, pathsInUseNow())
  }

  #has (hostPath: string, inProcess: ReadonlySet<string>): boolean {
    const paths = this.#pathsAmong(inProcess)

    return paths.size > 0 && paths.has(this.#real(hostPath))
  }

  #pathsAmong (inProcess: ReadonlySet<string>): ReadonlySet<string> {
    const changes = openStoreChanges()

    if (changes !== this.#changes || inProcess !== this.#inProcess) {
      const all = [...openStorePaths(), ...inProcess]
      this.#paths = new Set(all.length === 0 ? [] : all.filter(file => hasPathIn([file], this.#real(this.#root))))
      this.#changes = changes
      this.#inProcess = inProcess
    }

    return this.#paths
  }

  /** Links below the directory are never followed, so that what is there is at the same place below the real one. */
  #real (hostPath: string): string {
    this.#realRoot ??= fs.realpathSync.native(this.#root)

    return path.join(this.#realRoot, hostPath.slice(this.#root.length))
  }
}

/** Whether one of some paths is another one, or in it. */
function hasPathIn (paths: Iterable<string>, directory: string): boolean {
  const beginning = directory.endsWith(path.sep) ? directory : directory + path.sep

  return [...paths].some(file => file === directory || file.startsWith(beginning))
}
