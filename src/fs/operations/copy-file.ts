import { FileSystemError } from '../../errors.ts'
import { locate } from '../../tree/index.ts'
import { DraftFile, writtenAttributes } from '../draft-file.ts'
import { isPlace, isStored, put, refusing } from './place.ts'
import type { Place } from './place.ts'
import type { FileEntry } from '../../codec/index.ts'
import type { FileSystemErrorCode } from '../../errors.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeFile } from '../../tree/index.ts'
import type { Draft } from '../draft.ts'
import type { Workspace } from '../workspace.ts'

/**
 * Copies a file by the CID of its content, its permission bits and meta included; links are followed.
 *
 * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP, EEXIST where `isExclusive`
 */
export async function copyFile (workspace: Workspace, draft: Draft, from: string, to: string, isExclusive: boolean, options: AbortOptions): Promise<void> {
  const refuse = (code: FileSystemErrorCode): never => { throw new FileSystemError(code, 'copyfile', from, undefined, to) }
  const source = await refusing(refuse, async () => locate(draft.root, from, 'copyfile', options))
  const target = await refusing(refuse, async () => locate(draft.root, to, 'copyfile', { ...options, keepLink: isExclusive }))

  if (source.node === undefined) {
    return refuse('ENOENT')
  }

  if (isExclusive && target.node !== undefined) {
    refuse('EEXIST')
  }

  if (source.node.kind !== 'file' || !isPlace(target) || target.node?.kind === 'directory' || target.isDirectoryPath) {
    return refuse('EISDIR')
  }

  if (source.node !== target.node) {
    await putCopy(workspace, draft, target, source.node, false, options)
  }
}

/** Puts a copy of a file where nothing, a file or a link is. */
export async function putCopy (workspace: Workspace, draft: Draft, target: Place, file: TreeFile, keepsTime: boolean, options: AbortOptions): Promise<void> {
  const { content, size, attributes: recorded } = await stored(file, options)
  const mtime = keepsTime ? recorded?.mtime : workspace.now()
  const attributes = writtenAttributes(recorded, mtime)
  const open = workspace.files.openAt(target)

  if (open === undefined) {
    put(workspace, draft, target, { name: target.name, kind: 'file', content, size, ...(attributes === undefined ? {} : { attributes }) })
    return
  }

  await workspace.files.attachNow(open, options)
  await open.take({ content, size }, options)
  await open.setAttributes(attributes ?? {}, options)
}

/** What a directory would hold of a file, its edits stored. */
export async function stored (file: TreeFile, options: AbortOptions): Promise<FileEntry> {
  if (file instanceof DraftFile) {
    return file.store(options)
  }

  if (!isStored(file)) {
    throw new Error('only a draft has files with edits')
  }

  return file
}
