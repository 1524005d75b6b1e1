import { FileSystemError } from '../../errors.ts'
import { canonicalPath, locate } from '../../tree/index.ts'
import { DraftFile } from '../draft/file.ts'
import { isPlace, isStored, newAttributes, put } from './place.ts'
import type { AbortOptions } from '../../options.ts'
import type { Located, TreeDirectory } from '../../tree/index.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'
import type { OpenFlags } from '../node-api/flags.ts'

/** How a path is opened. */
export interface OpenRequest {
  readonly path: string
  readonly flags: OpenFlags
  /** Permission bits of a file that is made */
  readonly mode?: number | undefined
  readonly syscall?: string
}

/**
 * Opens what a path leads to. A file is to be released once for each time.
 *
 * @throws {FileSystemError} ENOENT, EEXIST, EISDIR, ENOTDIR, ELOOP
 */
export async function open (workspace: Workspace, request: OpenRequest, options: AbortOptions): Promise<DraftFile | TreeDirectory> {
  const { write, create, truncate } = request.flags

  if (write || create || truncate) {
    return workspace.edit(async draft => openToWrite(workspace, draft, request, options), options)
  }

  for (;;) {
    const { version } = workspace.files
    const located = await locateToOpen(await workspace.root(options), request, options)

    // another file may have come to be there while directories were read
    if (workspace.files.version === version) {
      return openToRead(workspace, located, request)
    }
  }
}

/**
 * Follows a path to what is to be opened.
 *
 * @throws {FileSystemError} EEXIST, EINVAL, EISDIR, ENOTDIR and ELOOP as the flags say
 */
export async function locateToOpen (root: TreeDirectory, { path, flags, syscall = 'open' }: OpenRequest, options: AbortOptions): Promise<Located> {
  const keepLink = flags.noFollow || flags.exclusive

  // as in Linux from 6.4 on: no call both makes a directory and opens it
  if (flags.create && flags.directory) {
    throw new FileSystemError('EINVAL', syscall, path)
  }

  const located = await locate(root, path, syscall, { ...options, keepLink, creates: flags.create })
  const { node } = located

  if (node !== undefined && flags.exclusive) {
    throw new FileSystemError('EEXIST', syscall, path)
  }

  if (node?.kind === 'symlink') {
    throw new FileSystemError(flags.directory ? 'ENOTDIR' : 'ELOOP', syscall, path)
  }

  if (node?.kind === 'file' && flags.directory) {
    throw new FileSystemError('ENOTDIR', syscall, path)
  }

  return located
}

function openToRead (workspace: Workspace, located: Located, { path, syscall = 'open' }: OpenRequest): DraftFile | TreeDirectory {
  const { node } = located

  switch (node?.kind) {
    case 'directory':
      return node
    case 'file':
      return isStored(node) ? workspace.files.open(canonicalPath(located), node) : (node as DraftFile).open()
    default:
      throw new FileSystemError('ENOENT', syscall, path)
  }
}

async function openToWrite (workspace: Workspace, draft: Draft, request: OpenRequest, options: AbortOptions): Promise<DraftFile> {
  const { path, flags, mode, syscall = 'open' } = request
  const located = await locateToOpen(draft.root, request, options)
  const { node } = located

  if (node?.kind === 'directory' || !isPlace(located)) {
    throw new FileSystemError('EISDIR', syscall, path)
  }

  if (node === undefined && !flags.create) {
    throw new FileSystemError('ENOENT', syscall, path)
  }

  if (node?.kind === 'file') {
    const file = await edited(workspace, draft, located, options)

    if (flags.truncate) {
      await file.truncate(0, options)
    }

    return file.open()
  }

  const file = workspace.files.create({ name: located.name, kind: 'file', content: new Uint8Array(0), size: 0, ...newAttributes(workspace, mode) })
  put(workspace, draft, located, file)

  return file.open()
}

/** The file that a path leads to, as a part of the draft. */
export async function edited (workspace: Workspace, draft: Draft, located: Located, options: AbortOptions): Promise<DraftFile> {
  const { node, name } = located

  const known = workspace.files.openAt(located)

  if (known !== undefined) {
    await workspace.files.attachNow(known, options)
    return known
  }

  if (node?.kind !== 'file' || name === undefined || !isStored(node)) {
    throw new Error('only a file can be opened')
  }

  const file = workspace.files.create(node)
  draft.set(draft.open(located.way), name, file, node)

  return file
}
