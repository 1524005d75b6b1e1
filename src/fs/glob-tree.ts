import { pace } from '../pace.ts'
import { normalPath } from '../path.ts'
import { canonicalPath, locate } from '../tree/index.ts'
import type { GlobSearch } from './glob-search.ts'
import type { ReadOptions } from '../budget.ts'
import type { TreeDirectory, TreeNode } from '../tree/index.ts'

/** A directory that is looked into. */
export interface Directory {
  /** What is there; undefined before it is looked up, and null for nothing */
  node?: TreeNode | null
}

/** An entry of a directory. */
export interface Child {
  /** As it was looked for, where that is `.` or `..` */
  readonly name: string
  readonly node: TreeNode
}

// a directory of more entries is listed for each search anew
const maxChildrenHeld = 4_096

/** What a glob looks up in a tree. Paths are absolute. */
export class GlobTree {
  readonly #root: TreeDirectory
  readonly #options: ReadOptions

  constructor (root: TreeDirectory, options: ReadOptions) {
    this.#root = root
    this.#options = options
  }

  async leadsToDirectory (full: string): Promise<boolean> {
    return (await this.stat(full, false))?.kind === 'directory'
  }

  async realPath (full: string): Promise<string | undefined> {
    return unlessNowhere(async () => canonicalPath(await locate(this.#root, full, 'glob', this.#options)))
  }

  /** What is at a path; undefined where it leads nowhere. */
  async stat (full: string, keepLink = true): Promise<TreeNode | undefined> {
    return unlessNowhere(async () => (await locate(this.#root, full, 'glob', { signal: this.#options.signal, keepLink })).node)
  }

  /** To be awaited before each entry that is looked at. */
  async step (): Promise<void> {
    this.#options.budget?.spend('entries', 1)
    await pace(this.#options)
  }

  list (directory: TreeDirectory): AsyncGenerator<TreeNode> {
    const { signal, budget } = this.#options

    return directory.view.list({}, { signal, budget })
  }
}

/** The entries of a directory, for one search after the other. */
export class Children {
  readonly #tree: GlobTree
  readonly #directory: Directory
  readonly #isListedAgain: boolean
  #held: TreeNode[] | undefined

  constructor (tree: GlobTree, directory: Directory, isListedAgain: boolean) {
    this.#tree = tree
    this.#directory = directory
    this.#isListedAgain = isListedAgain
  }

  async * of (full: string, search: GlobSearch): AsyncGenerator<Child> {
    const only = search.onlyName()

    if (only !== undefined) {
      const node = await this.#find(full, only)

      if (node !== undefined) {
        yield { name: only, node }
      }

      return
    }

    for await (const node of this.#held ?? this.#list(full)) {
      await this.#tree.step()
      yield { name: node.name, node }
    }
  }

  async #find (full: string, name: string): Promise<TreeNode | undefined> {
    const { node } = this.#directory

    return node?.kind === 'directory' && name !== '.' && name !== '..' && name !== '' && !name.includes('\0') ? node.view.find(name) : this.#tree.stat(join(full, name))
  }

  async * #list (full: string): AsyncGenerator<TreeNode> {
    const { node } = this.#directory
    const directory = node?.kind === 'directory' ? node : await this.#tree.stat(full, false)
    const held: TreeNode[] = []

    if (directory?.kind !== 'directory') {
      return
    }

    for await (const child of this.#tree.list(directory)) {
      if (this.#isListedAgain && held.length <= maxChildrenHeld) {
        held.push(child)
      }

      yield child
    }

    this.#held = this.#isListedAgain && held.length <= maxChildrenHeld ? held : undefined
  }
}

/** As `join` of `node:path` has it. */
export function join (path: string, name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && path !== '.' && !path.startsWith('../')) {
    return path.endsWith('/') ? path + name : `${path}/${name}`
  }

  const joined = name === '' ? path : `${path}/${name}`
  const normal = normalPath(joined)

  return `${normal === '' ? '.' : normal}${joined.endsWith('/') && normal !== '/' ? '/' : ''}`
}

async function unlessNowhere <T> (look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (err) {
    if (err instanceof Error && 'syscall' in err) {
      return
    }

    throw err
  }
}
