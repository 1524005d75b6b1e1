import { FileSystemError } from '../errors.ts'
import { isNameTooLong, joinPath, maxPathSegments, splitPath } from '../path.ts'
import type { ReadOptions } from '../budget.ts'
import type { TreeDirectory, TreeNode } from './node.ts'

// as in Linux
export const maxLinksFollowed = 40

export interface ResolveOptions extends ReadOptions {
  /** Return a symbolic link at the end of the path itself, not what it points to. One with a slash behind it is followed */
  readonly keepLink?: boolean
  /**
   * Find the place of the last name alone, whatever stands there: a link is not followed and a slash asks for nothing. The
   * name may be too long for an entry
   */
  readonly keepEnd?: boolean
  /** A file is to be made where there is none. So a slash behind a name at the end is EISDIR, also at the end of a link */
  readonly creates?: boolean
}

/**
 * Where a path leads: to something, or to a place in a directory where nothing is.
 */
export interface Located {
  /** The directories from the root to the one that it is in; for the root itself, the root */
  readonly way: readonly [TreeDirectory, ...TreeDirectory[]]
  /** Its name in the last of them, links on the path followed; undefined for the root */
  readonly name: string | undefined
  readonly node: TreeNode | undefined
  /** Whether the path ends with a slash */
  readonly isDirectoryPath: boolean
}

/**
 * Follows a path, and the symbolic links on it, as POSIX says.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, and what is wrong with the path itself
 */
export async function resolve (root: TreeDirectory, path: string, syscall: string, options: ResolveOptions = {}): Promise<TreeNode> {
  const { node } = await locate(root, path, syscall, options)

  if (node === undefined) {
    throw new FileSystemError('ENOENT', syscall, path)
  }

  return node
}

/**
 * Follows a path like `resolve`; at its end there may be nothing.
 *
 * @throws {FileSystemError} as `resolve`, ENOENT for what is missing on the way
 */
export async function locate (root: TreeDirectory, path: string, syscall: string, options: ResolveOptions = {}): Promise<Located> {
  const walk = new PathWalk(root, path, syscall, options)

  for (let name = walk.next(); name !== undefined; name = walk.next()) {
    const { view } = walk.directory
    const known = view.known?.(name)
    walk.take(name, known === undefined ? await view.find(name, options) : known ?? undefined)
  }

  return walk.located()
}

/**
 * Locates without reading a block; returns undefined where one would have to be read.
 *
 * @throws {FileSystemError} as `locate`
 */
export function locateKnown (root: TreeDirectory, path: string, syscall: string, options: ResolveOptions = {}): Located | undefined {
  const walk = new PathWalk(root, path, syscall, options)

  for (let name = walk.next(); name !== undefined; name = walk.next()) {
    const known = walk.directory.view.known?.(name)

    if (known === undefined) {
      return
    }

    walk.take(name, known ?? undefined)
  }

  return walk.located()
}

/** The path from the root on which no link is. */
export function canonicalPath ({ way, name }: Pick<Located, 'way' | 'name'>): string {
  const directory = way.slice(1).reduce((path, { name: segment }) => joinPath(path, segment), '/')

  return name === undefined ? directory : joinPath(directory, name)
}

/** A path on the way to where it leads. Whoever walks looks up the names. */
class PathWalk {
  readonly #path: string
  readonly #syscall: string
  readonly #keepLink: boolean
  readonly #keepEnd: boolean
  readonly #creates: boolean
  /** The directories from the root to where the path has come */
  readonly #way: [TreeDirectory, ...TreeDirectory[]]
  /** What is left of the path, the next segment last */
  #segments: string[]
  #isDirectoryPath: boolean
  #linksFollowed = 0
  /** What the path ends with, where that is no directory */
  #end: { readonly name: string, readonly node: TreeNode | undefined } | undefined

  constructor (root: TreeDirectory, path: string, syscall: string, { keepLink = false, keepEnd = false, creates = false }: ResolveOptions) {
    this.#path = path
    this.#syscall = syscall
    this.#keepLink = keepLink
    this.#keepEnd = keepEnd
    this.#creates = creates
    this.#way = [root]
    this.#segments = splitPath(path, syscall).reverse()
    this.#isDirectoryPath = path.endsWith('/')
    this.#dropLastSlash()
  }

  /** A slash at the end says that a directory is meant, which may be yet to come. */
  #dropLastSlash (): void {
    if (this.#isDirectoryPath && this.#segments.length > 1) {
      this.#segments.shift()
    }
  }

  get directory (): TreeDirectory {
    return this.#way[this.#way.length - 1]
  }

  /** The name to look up in `directory`; undefined where the path has ended. */
  next (): string | undefined {
    for (let segment = this.#segments.pop(); segment !== undefined; segment = this.#segments.pop()) {
      if (segment === '..') {
        this.#leave()
      } else if (segment !== '.') {
        this.#checkName(segment)
        return segment
      }
    }
  }

  /** Refuses a name before it is looked up, in the order in which Linux does. */
  #checkName (name: string): void {
    const isLast = this.#segments.length === 0

    if (isLast && this.#creates && this.#isDirectoryPath) {
      throw new FileSystemError('EISDIR', this.#syscall, this.#path)
    }

    if (isNameTooLong(name) && !(isLast && this.#keepEnd)) {
      throw new FileSystemError('ENAMETOOLONG', this.#syscall, this.#path)
    }
  }

  #leave (): void {
    if (this.#way.length > 1) {
      this.#way.pop()
    }
  }

  take (name: string, node: TreeNode | undefined): void {
    const isLast = this.#segments.length === 0

    if (node?.kind === 'directory') {
      this.#way.push(node)
    } else if (node?.kind === 'symlink' && !(isLast && this.#keepsLink)) {
      this.#follow(node.content)
    } else if (!isLast || (node?.kind === 'file' && this.#isDirectoryPath && !this.#keepEnd)) {
      throw new FileSystemError(node === undefined ? 'ENOENT' : 'ENOTDIR', this.#syscall, this.#path)
    } else {
      this.#end = { name, node }
    }
  }

  /** Whether a link at the end stands for itself. */
  get #keepsLink (): boolean {
    return this.#keepEnd || (this.#keepLink && !this.#isDirectoryPath)
  }

  #follow (target: string): void {
    if (++this.#linksFollowed > maxLinksFollowed) {
      throw new FileSystemError('ELOOP', this.#syscall, this.#path)
    }

    if (target.startsWith('/')) {
      this.#way.length = 1
    }

    const isLast = this.#segments.length === 0
    this.#segments.push(...splitPath(target, this.#syscall).reverse())

    if (isLast && target.endsWith('/')) {
      this.#isDirectoryPath = true
      this.#dropLastSlash()
    }
  }

  located (): Located {
    const way = this.#way
    const isDirectoryPath = this.#isDirectoryPath

    if (this.#end !== undefined) {
      // links lead deeper than the path has segments, and what is put there could not be listed
      if (this.#end.node === undefined && way.length > maxPathSegments) {
        throw new FileSystemError('ENAMETOOLONG', this.#syscall, this.#path)
      }

      return { way, isDirectoryPath, ...this.#end }
    }

    if (way.length === 1) {
      return { way, isDirectoryPath, name: undefined, node: way[0] }
    }

    const node = this.directory

    return { way: way.slice(0, -1) as [TreeDirectory, ...TreeDirectory[]], isDirectoryPath, name: node.name, node }
  }
}
