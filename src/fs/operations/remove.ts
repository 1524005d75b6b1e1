import { FileSystemError, OperationError } from '../../errors.ts'
import { lastSegment } from '../../path.ts'
import { resolve } from '../../tree/index.ts'
import { endsWithDots, isPlace, locateName, put } from './place.ts'
import type { Place } from './place.ts'
import type { AbortOptions } from '../../options.ts'
import type { Located, TreeDirectory, TreeNode } from '../../tree/index.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

/** Options of `fs.rmdir()`. */
export interface RemoveDirectoryOptions extends AbortOptions {
  /** Remove directories with all that is in them. Default: false */
  readonly recursive?: boolean
  /** Milliseconds, from 0 to 2^31 - 1, as Node has it: here nothing is tried again */
  readonly retryDelay?: number
  /** From 0 to 2^32 - 1, as Node has it: here nothing is tried again */
  readonly maxRetries?: number
}

/** Options of `fs.rm()`. */
export interface RemoveOptions extends RemoveDirectoryOptions {
  /** Do nothing where there is nothing. Default: false */
  readonly force?: boolean
}

/**
 * Removes a file or link.
 *
 * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP
 */
export async function unlink (workspace: Workspace, draft: Draft, path: string, options: AbortOptions): Promise<void> {
  const place = await locatePlace(draft, path, 'unlink', 'EISDIR', options)

  if (place.node.kind === 'directory') {
    throw new FileSystemError('EISDIR', 'unlink', path)
  }

  put(workspace, draft, place, null)
}

/**
 * Removes an empty directory or, where `isRecursive`, any.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ENOTEMPTY, ELOOP, EINVAL for `.`, EBUSY for the root
 */
export async function removeDirectory (workspace: Workspace, draft: Draft, path: string, isRecursive: boolean, options: AbortOptions): Promise<void> {
  const located = await locateName(draft.root, path, 'rmdir', options)

  if (endsWithDots(path)) {
    throw new FileSystemError(lastSegment(path) === '.' ? 'EINVAL' : 'ENOTEMPTY', 'rmdir', path)
  }

  const place = presentPlace(located, path, 'rmdir', 'EBUSY')

  if (place.node.kind !== 'directory') {
    throw new FileSystemError('ENOTDIR', 'rmdir', path)
  }

  if (!(isRecursive || await isEmpty(place.node, options))) {
    throw new FileSystemError('ENOTEMPTY', 'rmdir', path)
  }

  put(workspace, draft, place, null)
}

/**
 * Removes whatever is there.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, EINVAL for `.`, EBUSY for the root
 * @throws {OperationError} ERR_FS_EISDIR for a directory, unless `recursive` is given
 */
export async function remove (workspace: Workspace, draft: Draft, path: string, { recursive = false, force = false }: RemoveOptions, options: AbortOptions): Promise<void> {
  try {
    // a slash at the end leads through a link
    const { kind } = await resolve(draft.root, path, 'lstat', { ...options, keepLink: true })

    if (kind === 'directory' && !recursive) {
      throw new OperationError('ERR_FS_EISDIR', 'rm', path, 'is a directory')
    }

    if (lastSegment(path) === '.') {
      throw new FileSystemError('EINVAL', 'rmdir', path)
    }

    const place = await locatePlace(draft, path, 'lstat', 'EBUSY', options)

    put(workspace, draft, place, null)
  } catch (err) {
    if (!(force && err instanceof FileSystemError && err.code === 'ENOENT')) {
      throw err
    }
  }
}

/** A file, a link without a slash behind it, or a directory. */
async function locatePlace (draft: Draft, path: string, syscall: string, rootCode: 'EISDIR' | 'EBUSY', options: AbortOptions): Promise<Place & { node: TreeNode }> {
  const located = await locateName(draft.root, path, syscall, options)
  const place = presentPlace(located, path, syscall, rootCode)

  if (located.isDirectoryPath && place.node.kind !== 'directory') {
    throw new FileSystemError('ENOTDIR', syscall, path)
  }

  return place
}

function presentPlace (located: Located, path: string, syscall: string, rootCode: 'EISDIR' | 'EBUSY'): Place & { node: TreeNode } {
  const { node } = located

  if (node === undefined) {
    throw new FileSystemError('ENOENT', syscall, path)
  }

  if (!isPlace(located)) {
    throw new FileSystemError(rootCode, syscall, path)
  }

  return { ...located, node }
}

/** Whether a directory has no entries. */
export async function isEmpty (directory: TreeDirectory, options: AbortOptions): Promise<boolean> {
  const entries = directory.view.list({ limit: 1 }, options)
  const { done } = await entries.next()
  await entries.return(undefined)

  return done === true
}
