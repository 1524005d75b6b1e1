import { Budget, heldLimits } from '../budget.ts'
import { LimitExceededError } from '../errors.ts'
import { anyNames, isPart } from '../glob/index.ts'
import { integerOption } from '../options.ts'
import { normalPath } from '../path.ts'
import { GlobSearch } from './glob-search.ts'
import { Children, GlobTree, join } from './glob-tree.ts'
import type { Child, Directory } from './glob-tree.ts'
import type { ReadOptions } from '../budget.ts'
import type { Alternative, PatternPart } from '../glob/index.ts'
import type { TreeDirectory, TreeNode } from '../tree/index.ts'

/** What is found: its path as the pattern reaches it, and the directory that it is in. */
export interface GlobMatch {
  readonly path: string
  readonly name: string
  readonly parentPath: string
  readonly kind: TreeNode['kind']
}

export interface GlobWalkOptions extends ReadOptions {
  /** The absolute path at which relative patterns begin */
  readonly from: string
  readonly followSymlinks: boolean
  /** Whether what was found by one pattern may be found by another, anywhere in the tree */
  readonly remembers: boolean
  readonly maxEntries?: number
  /** Whether an absolute path is left out by a pattern */
  isExcluded(path: string): boolean
  /** Whether an entry is left out by the caller's function, which is given the path as it stands here */
  isLeftOut(match: GlobMatch): boolean
}

/** A directory that is to be looked into, and what for. */
interface Visit extends Directory {
  readonly path: string
  readonly searches: GlobSearch[]
  /** Whether its own path was given out already */
  isGiven: boolean
}

interface Known {
  readonly keys: Set<number>
  isGiven: boolean
}

/** An entry that is held against a search. */
interface Candidate extends Child {
  readonly isDirectory: boolean
  readonly match: GlobMatch
}

/** What a search comes to with an entry. */
interface Next {
  /** The parts that are next below it */
  readonly indexes: Set<number>
  readonly links: Set<number>
  isFound: boolean
}

/**
 * Goes through a tree as Node's `glob` does, step by step: in the same order, with the same shortcuts, through the same links.
 * Held are the directories that are still to be looked into; where patterns may meet again, all that they reached as well.
 */
export class GlobWalk {
  readonly #root: TreeDirectory
  readonly #tree: GlobTree
  readonly #options: GlobWalkOptions
  readonly #known = new Map<string, Known>()
  /** Of what is remembered */
  readonly #remembered: Budget
  readonly #queue: Visit[] = []
  #next = new Map<string, Visit>()
  #held = 0

  constructor (root: TreeDirectory, options: GlobWalkOptions) {
    this.#root = root
    this.#tree = new GlobTree(root, options)
    this.#options = options
    this.#remembered = Budget.of({ entries: integerOption('maxEntries', options.maxEntries) }, heldLimits, options.from)
  }

  async * find (alternatives: readonly Alternative[]): AsyncGenerator<GlobMatch> {
    this.#push({ path: '.', searches: GlobSearch.all(alternatives), isGiven: false })

    for (let visit = this.#queue.pop(); visit !== undefined; visit = this.#queue.pop()) {
      this.#held -= weightOf(visit)
      const own = { keys: new Set<number>(), isGiven: visit.isGiven }
      const known = this.#options.remembers ? this.#known : new Map<string, Known>([[visit.path, own]])
      const children = new Children(this.#tree, visit, visit.searches.length > 1)

      for (const search of visit.searches) {
        const left = this.#unseen(known, visit.path, search)

        if (left !== undefined) {
          yield * this.#look(known, children, visit, left)
        }
      }

      for (const next of this.#next.values()) {
        next.isGiven = known.get(next.path)?.isGiven === true
        this.#push(next)
      }

      this.#next.clear()
    }
  }

  /** What of a search was not looked for at a path before. */
  #unseen (known: Map<string, Known>, path: string, search: GlobSearch): GlobSearch | undefined {
    const { keys } = this.#at(known, path)
    const indexes = [...search.indexes].filter(index => !keys.has(search.key(index)))
    indexes.forEach(index => keys.add(search.key(index)))

    if (indexes.length === search.indexes.size) {
      return search
    }

    return indexes.length === 0 ? undefined : search.child(indexes, search.links, search.realPaths)
  }

  #at (known: Map<string, Known>, path: string): Known {
    const at = known.get(path) ?? { keys: new Set(), isGiven: false }

    if (!known.has(path)) {
      known.set(path, at)

      if (known === this.#known) {
        this.#remembered.spend('entries', 1)
        this.#remembered.lengthen(path)
      }
    }

    return at
  }

  async * #look (known: Map<string, Known>, children: Children, visit: Visit, search: GlobSearch): AsyncGenerator<GlobMatch> {
    const { path } = visit
    const full = this.#full(path)
    const node = visit.node === undefined ? await this.#tree.stat(full) ?? null : visit.node
    visit.node = node
    const isDirectory = await this.#isDirectory(full, node, search)
    const isLast = search.isLast(isDirectory)
    const { last } = search

    if (this.#options.isExcluded(full)) {
      return
    }

    if (search.indexes.has(0)) {
      const start = startOf(search.part(0))

      if (start !== undefined) {
        this.#visitNext(start, undefined, search.child([1]))
        return
      }
    }

    if (isLast) {
      yield * this.#giveEnd(known, path, full, node, search, isDirectory)
    }

    if (isLast && typeof search.part(last) === 'string' && search.indexes.size === 1 && search.indexes.has(last)) {
      return
    }

    const realPath = isDirectory && this.#options.followSymlinks ? await this.#tree.realPath(full) : undefined

    if (!isDirectory || (realPath !== undefined && search.realPaths.has(realPath))) {
      return
    }

    const below = realPath === undefined ? search.realPaths : new Set([...search.realPaths, realPath])

    for await (const child of children.of(full, search)) {
      yield * this.#take(known, visit, full, child, search, isLast, below)
    }
  }

  /** What the last part of a search finds in, or as, a directory. */
  async * #giveEnd (known: Map<string, Known>, path: string, full: string, node: TreeNode | null, search: GlobSearch, isDirectory: boolean): AsyncGenerator<GlobMatch> {
    const end = search.part(search.last)

    if (typeof end === 'string') {
      const found = await this.#tree.stat(join(full, end))

      if (found !== undefined && (end !== '' || isDirectory)) {
        yield * this.#give(known, join(path, end), join(full, end), found)
      }
    } else if (end === anyNames && node !== null && (path !== '.' || search.part(0) === '.' || search.last === 0)) {
      yield * this.#give(known, path, full, node)
    }
  }

  /** What a search comes to with one entry of a directory. */
  async * #take (known: Map<string, Known>, visit: Visit, full: string, { name, node }: Child, search: GlobSearch, isLast: boolean, realPaths: ReadonlySet<string>): AsyncGenerator<GlobMatch> {
    const [path, childFull] = [join(visit.path, name), join(full, name)]
    const isDirectory = node.kind === 'directory' || (this.#options.followSymlinks && node.kind === 'symlink' && await this.#tree.leadsToDirectory(childFull))
    const next: Next = { indexes: new Set(), links: new Set(), isFound: false }
    const child = { name, node, isDirectory, match: matchOf(name, childFull, node) }
    let isGiven = false

    for (const index of search.indexes) {
      const isTaken = search.part(index) !== anyNames || this.#takeAny(child, search, index, isLast, next)

      if (search.part(index) !== anyNames) {
        takeOne(child, search, index, next)
      }

      if (next.isFound && !isGiven) {
        isGiven = true
        yield * this.#give(known, path, childFull, node, visit.searches.length > 1)
      }

      if (isTaken && isDirectory && search.part(index) === anyNames && search.part(index + 1) === '..') {
        yield * this.#takeParent(known, visit, full, search, index + 1)
      }
    }

    if (next.indexes.size > 0) {
      this.#visitNext(path, node, search.child(next.indexes, next.links, realPaths))
    }
  }

  /** An entry where any number of names may be; returns whether it may be one of them. */
  #takeAny ({ name, node, isDirectory, match }: Candidate, search: GlobSearch, index: number, isLast: boolean, next: Next): boolean {
    const { followSymlinks } = this.#options
    const isNext = isPart(search.part(index + 1), name)
    const isLink = node.kind === 'symlink'
    const isThroughLink = !followSymlinks && search.links.has(index)

    if ((name.startsWith('.') && !isNext) || this.#options.isLeftOut(match)) {
      return false
    }

    if (!isThroughLink && isDirectory) {
      next.indexes.add(index)
    } else if (!isThroughLink && index === search.last) {
      next.isFound = true
    }

    if (isNext && index + 1 === search.last && !isLast) {
      next.isFound = true
    } else if (isNext && isDirectory) {
      next.indexes.add(index + 2)
    }

    if ((isNext || search.part(0) === '.') && (isDirectory || isLink) && !isThroughLink) {
      next.indexes.add(index + 1)
    }

    if (isLink) {
      next.links.add(index)
    }

    return true
  }

  /** Behind any number of names, `..` leads to the directory itself and to the one that it is in. */
  async * #takeParent (known: Map<string, Known>, { path, node }: Visit, full: string, search: GlobSearch, index: number): AsyncGenerator<GlobMatch> {
    const parent = join(path, '..')

    for (const [to, isParent] of [[path, false], [parent, true]] as const) {
      if (index < search.last) {
        if (!this.#next.has(to) && !this.#at(known, to).keys.has(search.key(index + 1))) {
          this.#next.set(to, { path: to, searches: [search.child([index + 1])], isGiven: false })
        }

        continue
      }

      const at = this.#at(known, to)
      at.keys.add(search.key(index))
      const found = isParent ? await this.#tree.stat(this.#full(to)) : node

      if (found !== undefined && found !== null) {
        yield * this.#give(known, to, isParent ? this.#full(to) : full, found)
      }
    }
  }

  async * #give (known: Map<string, Known>, path: string, full: string, node: TreeNode, mayRepeat = true): AsyncGenerator<GlobMatch> {
    if (this.#options.isExcluded(this.#full(path))) {
      return
    }

    // alone, a search comes to each path once, and then to what may be a directory once more
    if (!mayRepeat && node.kind === 'file' && known !== this.#known) {
      yield matchOf(path, full, node)
      return
    }

    const at = this.#at(known, path)

    if (!at.isGiven) {
      at.isGiven = true
      yield matchOf(path, full, node)
    }
  }

  #visitNext (path: string, node: TreeNode | undefined, search: GlobSearch): void {
    const full = this.#full(path)

    if (this.#options.isExcluded(path) || (node?.kind !== 'file' && node?.kind !== 'symlink' && this.#options.isExcluded(`${full}/`))) {
      return
    }

    if (this.#options.isLeftOut(matchOf(path, full, node ?? this.#root))) {
      return
    }

    const next = this.#next.get(path)

    if (next === undefined) {
      this.#next.set(path, { path, searches: [search], isGiven: false, ...(node === undefined ? {} : { node }) })
    } else {
      next.searches.push(search)
    }
  }

  #push (visit: Visit): void {
    const { from, maxEntries = 0 } = this.#options
    const most = Math.max(maxEntries, heldLimits.entries)
    this.#held += weightOf(visit)
    this.#queue.push(visit)

    if (this.#held > most) {
      throw new LimitExceededError(`more than ${most} directories are still to be read; raise maxEntries if you trust the tree`, { path: from, limit: most, exceeded: 'entries' })
    }
  }

  #full (path: string): string {
    return normalPath(path.startsWith('/') ? path : `${this.#options.from}/${path}`)
  }

  async #isDirectory (full: string, node: TreeNode | null, search: GlobSearch): Promise<boolean> {
    if (node?.kind !== 'symlink') {
      return node?.kind === 'directory'
    }

    return this.#options.followSymlinks ? this.#tree.leadsToDirectory(full) : search.mayPassLink()
  }
}

/** An entry where one name may be. */
function takeOne ({ name, isDirectory }: Candidate, search: GlobSearch, index: number, next: Next): void {
  const part = search.part(index)

  if (typeof part === 'string') {
    if (part === name && index !== search.last) {
      next.indexes.add(index + 1)
    } else if (part === '.' && isPart(search.part(index + 1), name)) {
      if (index + 1 === search.last) {
        next.isFound = true
      } else {
        next.indexes.add(index + 2)
      }
    }
  } else if (part !== undefined && isPart(part, name)) {
    if (index === search.last) {
      next.isFound = true
    } else if (isDirectory) {
      next.indexes.add(index + 1)
    }
  }
}

/** Where a pattern goes on that begins with a slash or dots. */
function startOf (part: PatternPart | undefined): string | undefined {
  const starts: Readonly<Record<string, string>> = { '': '/', '..': '../', '.': '.' }

  return typeof part === 'string' && Object.hasOwn(starts, part) ? starts[part] : undefined
}

function matchOf (path: string, full: string, { kind }: Pick<TreeNode, 'kind'>): GlobMatch {
  const slash = full.lastIndexOf('/')

  return { path, name: full.slice(slash + 1), parentPath: full.slice(0, slash) || '/', kind }
}

function weightOf ({ path }: Visit): number {
  return 1 + Math.floor(path.length / 256)
}
