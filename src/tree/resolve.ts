import { FileSystemError } from '../errors.ts'
import { splitPath } from '../path.ts'
import type { TreeDirectory, TreeNode } from './node.ts'
import type { AbortOptions } from '../options.ts'

// as in Linux
const maxLinksFollowed = 40

export interface ResolveOptions extends AbortOptions {
  /** Answer a symbolic link at the end of the path itself, not what it points to */
  readonly keepLink?: boolean
}

/**
 * Follows a path, and the symbolic links on it, as POSIX says.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, and what is wrong with the path itself
 */
export async function resolve (root: TreeDirectory, path: string, syscall: string, options: ResolveOptions = {}): Promise<TreeNode> {
  // the directories from the root to where the path has come
  let way = [root]
  let segments = splitPath(path, syscall)
  let linksFollowed = 0

  while (segments.length > 0) {
    const [segment, ...rest] = segments
    segments = rest

    if (segment === '.') {
      continue
    }

    if (segment === '..') {
      way = way.length > 1 ? way.slice(0, -1) : way
      continue
    }

    const node = await way[way.length - 1].view.find(segment, options)

    if (node === undefined) {
      throw new FileSystemError('ENOENT', syscall, path)
    }

    if (node.kind === 'directory') {
      way = [...way, node]
      continue
    }

    if (rest.length === 0 && (node.kind === 'file' || options.keepLink === true)) {
      return node
    }

    if (node.kind === 'file') {
      throw new FileSystemError('ENOTDIR', syscall, path)
    }

    if (++linksFollowed > maxLinksFollowed) {
      throw new FileSystemError('ELOOP', syscall, path)
    }

    way = node.content.startsWith('/') ? [root] : way
    segments = [...splitPath(node.content, syscall), ...rest]
  }

  return way[way.length - 1]
}
