import { FileSystemError } from '../../errors.ts'
import { locate } from '../../tree/index.ts'
import { DraftFile, writtenAttributes } from '../draft/file.ts'
import { isPlace, isStored, put, refusing } from './place.ts'
import type { Place } from './place.ts'
import type { FileEntry, Time } from '../../codec/index.ts'
import type { FileSystemErrorCode } from '../../errors.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeFile } from '../../tree/index.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

/**
 * Copies a file by the CID of its content, its permission bits and meta included; links are followed.
 *
 * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP, EEXIST where `isExclusive`
 */
export async function copyFile (workspace: Workspace, draft: Draft, from: string, to: string, isExclusive: boolean, options: AbortOptions): Promise<void> {
  const refuse = (code: FileSystemErrorCode): never => { throw new FileSystemError(code, 'copyfile', from, undefined, to) }
  const source = await refusing(refuse, async () => locate(draft.root, from, 'copyfile', options))

  // what is wrong with the source comes first
  if (source.node === undefined) {
    return refuse('ENOENT')
  }

  const target = await refusing(refuse, async () => locate(draft.root, to, 'copyfile', { ...options, keepLink: isExclusive, creates: true }))

  if (isExclusive && target.node !== undefined) {
    refuse('EEXIST')
  }

  if (source.node.kind !== 'file' || !isPlace(target) || target.node?.kind === 'directory') {
    return refuse('EISDIR')
  }

  if (source.node !== target.node) {
    await putCopy(workspace, draft, target, source.node, options)
  }
}

/** Puts a copy of a file where nothing, a file or a link is. A file that is open there is written to. */
async function putCopy (workspace: Workspace, draft: Draft, target: Place, file: TreeFile, options: AbortOptions): Promise<void> {
  await whileStored(file, async entry => {
    const copy = copyOf(entry, target.name, workspace.now())
    const open = workspace.files.openAt(target)

    if (open === undefined) {
      put(workspace, draft, target, copy)
    } else {
      await workspace.files.use(open, async () => open.become(copy, options), options)
    }
  }, options)
}

/** An entry of the same content, permission bits and meta, that was changed at a time; at an unspecified one without. */
export function copyOf ({ content, size, attributes: recorded }: FileEntry, name: string, mtime: Time | undefined): FileEntry {
  const attributes = writtenAttributes(recorded, mtime)

  return { name, kind: 'file', content, size, ...(attributes === undefined ? {} : { attributes }) }
}

/** Does something with what a directory would hold of a file, its edits stored. Nothing changes the file meanwhile. */
export async function whileStored <T> (file: TreeFile, work: (entry: FileEntry) => Promise<T>, options: AbortOptions): Promise<T> {
  if (file instanceof DraftFile) {
    return file.whileStored(work, options)
  }

  if (!isStored(file)) {
    throw new Error('only a draft has files with edits')
  }

  return work(file)
}
