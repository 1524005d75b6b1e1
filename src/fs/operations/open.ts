import { FileSystemError } from '../../errors.ts'
import { canonicalPath, locate, locateKnown } from '../../tree/index.ts'
import { DraftFile } from '../draft/file.ts'
import { isPlace, isStored, newAttributes, put } from './place.ts'
import type { Place } from './place.ts'
import type { FileEntry } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Located, ResolveOptions, TreeDirectory, TreeFile } from '../../tree/index.ts'
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
    // another file may have come to be there while directories were read, which are known now
    const now = locateKnown(workspace.draft.root, request.path, request.syscall ?? 'open', resolving(request))

    if (now !== undefined || workspace.files.version === version) {
      return openToRead(workspace, now ?? located, request)
    }
  }
}

/**
 * Follows a path to what is to be opened.
 *
 * @throws {FileSystemError} EEXIST, EINVAL, EISDIR, ENOTDIR and ELOOP as the flags say
 */
export async function locateToOpen (root: TreeDirectory, request: OpenRequest, options: AbortOptions): Promise<Located> {
  const { path, flags, syscall = 'open' } = request

  // as in Linux from 6.4 on: no call both makes a directory and opens it
  if (flags.create && flags.directory) {
    throw new FileSystemError('EINVAL', syscall, path)
  }

  const located = await locate(root, path, syscall, { ...options, ...resolving(request) })
  checkFound(located, request)

  return located
}

function resolving ({ flags }: OpenRequest): ResolveOptions {
  return { keepLink: flags.noFollow || flags.exclusive, creates: flags.create }
}

function checkFound ({ node }: Located, { path, flags, syscall = 'open' }: OpenRequest): void {
  if (node !== undefined && flags.exclusive) {
    throw new FileSystemError('EEXIST', syscall, path)
  }

  if (node?.kind === 'symlink') {
    throw new FileSystemError(flags.directory ? 'ENOTDIR' : 'ELOOP', syscall, path)
  }

  if (node?.kind === 'file' && flags.directory) {
    throw new FileSystemError('ENOTDIR', syscall, path)
  }
}

function openToRead (workspace: Workspace, located: Located, request: OpenRequest): DraftFile | TreeDirectory {
  checkFound(located, request)
  const { node } = located

  switch (node?.kind) {
    case 'directory':
      return node
    case 'file':
      return isStored(node) ? workspace.files.open(canonicalPath(located), node) : (node as DraftFile).open()
    default:
      throw new FileSystemError('ENOENT', request.syscall ?? 'open', request.path)
  }
}

/** Opens a file for whoever edits the draft. */
export async function openToWrite (workspace: Workspace, draft: Draft, request: OpenRequest, options: AbortOptions): Promise<DraftFile> {
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
    return openEdited(workspace, draft, located, node, flags.truncate, options)
  }

  const file = workspace.files.create({ name: located.name, kind: 'file', content: new Uint8Array(0), size: 0, ...newAttributes(workspace, mode) })
  put(workspace, draft, located, file)

  return file.open()
}

/** The file at a place, open, and as a part of the draft. */
async function openEdited (workspace: Workspace, draft: Draft, place: Place, node: TreeFile, isToBeCut: boolean, options: AbortOptions): Promise<DraftFile> {
  // what is not stored is a file of the draft, which is known
  const file = workspace.files.openAt(place) ?? workspace.files.create(node as FileEntry)

  await workspace.files.use(file, async () => {
    if (file.parent === undefined) {
      draft.set(draft.open(place.way), place.name, file, node)
    }

    if (isToBeCut) {
      await file.truncate(0, options)
    }

    file.open()
  }, options)

  return file
}
