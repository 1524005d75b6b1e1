import { directorySize } from '../../directory/index.ts'
import { FileSystemError } from '../../errors.ts'
import { isNameTooLong, lastSegment, maxPathSegments } from '../../path.ts'
import { canonicalPath, heightOf, locate } from '../../tree/index.ts'
import { DraftDirectory } from '../draft/directory.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { Attributes, Entry, FileEntry } from '../../codec/index.ts'
import type { FileSystemErrorCode } from '../../errors.ts'
import type { AbortOptions } from '../../options.ts'
import type { Located, TreeDirectory, TreeFile, TreeNode } from '../../tree/index.ts'
import type { ChangeType } from '../draft/change-emitter.ts'
import type { Change } from '../draft/directory.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

// what new files and directories are not given of the mode that is asked for, as is usual
const umask = 0o022

/** Somewhere that a path leads to and that is not the root. */
export type Place = Located & { readonly name: string }

export function isPlace (located: Located): located is Place {
  return located.name !== undefined
}

/** What a path leads to. */
export type Found = Located & { readonly node: TreeNode }

/**
 * Follows a path to what is there.
 *
 * @throws {FileSystemError} ENOENT, and as `locate`
 */
export async function locatePresent (root: TreeDirectory, path: string, syscall: string, options: AbortOptions & { keepLink?: boolean }): Promise<Found> {
  const located = await locate(root, path, syscall, options)
  const { node } = located

  if (node === undefined) {
    throw new FileSystemError('ENOENT', syscall, path)
  }

  return { ...located, node }
}

/** Where a path leads; undefined where a directory on it is missing. */
export async function locateMaybe (root: TreeDirectory, path: string, syscall: string, options: AbortOptions & { keepLink: boolean }): Promise<Located | undefined> {
  try {
    return await locate(root, path, syscall, options)
  } catch (err) {
    if (err instanceof FileSystemError && err.code === 'ENOENT' && path !== '') {
      return undefined
    }

    throw err
  }
}

/**
 * Follows a path to a name, whatever stands there. A link is not followed even where a slash is behind it.
 *
 * @throws {FileSystemError} ENAMETOOLONG, and as `locate`
 */
export async function locateName (root: TreeDirectory, path: string, syscall: string, options: AbortOptions): Promise<Located> {
  const located = await locate(root, path, syscall, { ...options, keepEnd: true })

  if (located.name !== undefined && isNameTooLong(located.name)) {
    throw new FileSystemError('ENAMETOOLONG', syscall, path)
  }

  return located
}

/** Makes of errors of one path those of an operation with two. */
export async function refusing <T> (refuse: (code: FileSystemErrorCode) => never, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    if (err instanceof FileSystemError && err.dest === undefined) {
      refuse(err.code)
    }

    throw err
  }
}

/**
 * Whether a directory has too many levels for where it is to go. It is read where that lies deeper than where it is: the tree that it
 * is in is no deeper than a tree may be.
 */
export async function isTooDeep (source: Found, target: Located, options: AbortOptions): Promise<boolean> {
  if (source.node.kind !== 'directory' || target.way.length <= source.way.length) {
    return false
  }

  return target.way.length + await heightOf(source.node, options) > maxPathSegments
}

/** Whether a path ends with what is no name of its own. */
export function endsWithDots (path: string): boolean {
  return ['.', '..'].includes(lastSegment(path))
}

/**
 * Puts something where a path leads, in the place of what is there; null removes it.
 */
export function put (workspace: Workspace, draft: Draft, place: Place, change: Change): void {
  const directory = draft.open(place.way)
  draft.set(directory, place.name, change, place.node)

  if (place.node !== undefined) {
    workspace.files.moved(place)
  }

  draft.touch(directory, workspace.now())
  tell(workspace, place.node?.kind === 'file' && change?.kind === 'file' ? 'change' : 'rename', place)
}

/**
 * Tells whoever watches what happened to a place.
 */
export function tell (workspace: Workspace, type: ChangeType, place: Pick<Place, 'way' | 'name'>): void {
  if (workspace.changes.isWatched) {
    workspace.changes.tell(type, canonicalPath(place))
  }
}

/**
 * Records attributes of what a path leads to.
 */
export async function putAttributes (workspace: Workspace, draft: Draft, place: Place & Found, change: Omit<Attributes, 'meta'>, options: AbortOptions): Promise<void> {
  const { node, name, way } = place
  const open = node.kind === 'file' ? workspace.files.openAt(place) : undefined

  if (open !== undefined) {
    await workspace.files.use(open, async () => open.setAttributes(change, options), options)
  } else if (node instanceof DraftDirectory) {
    draft.setAttributes(node, { ...node.attributes, ...change })
    tell(workspace, 'change', place)
  } else {
    draft.set(draft.open(way), name, { ...await entryOf(workspace.blocks, node, name, options), attributes: { ...node.attributes, ...change } }, node)
    tell(workspace, 'change', place)
  }
}

/**
 * The entry that holds what is stored, under a name.
 *
 * @throws {InvalidNodeError} where the size that is claimed of a directory is not its own
 */
export async function entryOf (blocks: BlockReader, node: TreeNode, name: string, options: AbortOptions): Promise<Entry> {
  if (node.kind === 'symlink') {
    return { ...node, name }
  }

  if (node.kind === 'file' && isStored(node)) {
    return { ...node, name }
  }

  const { kind, size, attributes } = node
  const content = node.kind === 'directory' ? node.cid : undefined

  if (kind !== 'directory' || content === undefined) {
    throw new Error('what has edits has no entry')
  }

  await directorySize(blocks, { cid: content, size }, options)

  return { name, kind, content, size, ...(attributes === undefined ? {} : { attributes }) }
}

/** What a new entry records. */
export function newAttributes (workspace: Workspace, mode: number | undefined): { attributes?: Attributes } {
  const mtime = workspace.now()

  if (mode === undefined && mtime === undefined) {
    return {}
  }

  return { attributes: { ...(mode === undefined ? {} : { mode: mode & ~umask }), ...(mtime === undefined ? {} : { mtime }) } }
}

/** Whether a file is what its directory holds of it. */
export function isStored (file: TreeFile): file is FileEntry {
  return !('read' in file)
}
