import { nameFault, splitEntryPath } from '../path.ts'

/**
 * `splitEntryPath` for paths that come directory by directory: what they have in common is taken apart once.
 */
export class EntryPathSplitter {
  #parent: string | undefined
  #names: readonly string[] = []

  split (path: string, syscall: string): readonly string[] {
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)

    if (slash > 0 && this.#parent?.length === slash && path.startsWith(this.#parent) && nameFault(name) === undefined) {
      return [...this.#names, name]
    }

    const names = splitEntryPath(path, syscall)
    const isPlain = slash > 0 && names.at(-1) === name
    this.#parent = isPlain ? path.slice(0, slash) : undefined
    this.#names = isPlain ? names.slice(0, -1) : []

    return names
  }
}
