import { FileSystemError } from '../../errors.ts'
import { isNameTooLong } from '../../path.ts'
import { canonicalPath, locate } from '../../tree/index.ts'
import { DraftDirectory } from '../draft/directory.ts'
import { DraftFile } from '../draft/file.ts'
import { endsWithDots, entryOf, isPlace, isTooDeep, put, refusing, tell } from './place.ts'
import { isEmpty } from './remove.ts'
import type { Place } from './place.ts'
import type { FileSystemErrorCode } from '../../errors.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeNode } from '../../tree/index.ts'
import type { Change } from '../draft/directory.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

/**
 * Gives something another path, in the place of a file, a link or an empty directory that is there.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, EISDIR, ENOTEMPTY, ELOOP, EINVAL for a directory that is to go into itself,
 * EBUSY for the root, `.` and `..`, ENAMETOOLONG where something would lie more than 1,024 segments deep
 */
export async function rename (workspace: Workspace, draft: Draft, from: string, to: string, options: AbortOptions): Promise<void> {
  const refuse = (code: FileSystemErrorCode): never => { throw new FileSystemError(code, 'rename', from, undefined, to) }
  const source = await refusing(refuse, async () => locate(draft.root, from, 'rename', { ...options, keepEnd: true }))
  const target = await refusing(refuse, async () => locate(draft.root, to, 'rename', { ...options, keepEnd: true }))

  if (endsWithDots(from) || endsWithDots(to) || !isPlace(source) || !isPlace(target)) {
    return refuse('EBUSY')
  }

  const { node } = source

  if (node === undefined) {
    return refuse(isNameTooLong(source.name) ? 'ENAMETOOLONG' : 'ENOENT')
  }

  if (isNameTooLong(target.name)) {
    refuse('ENAMETOOLONG')
  }

  if (node.kind !== 'directory' && (source.isDirectoryPath || target.isDirectoryPath)) {
    refuse('ENOTDIR')
  }

  if (canonicalPath(source) === canonicalPath(target)) {
    return
  }

  await checkTarget(source, target, node, refuse, options)

  if (await isTooDeep({ ...source, node }, target, options)) {
    refuse('ENAMETOOLONG')
  }

  const moved = node instanceof DraftDirectory || node instanceof DraftFile ? node : await entryOf(workspace.blocks, node, target.name, options)
  move(workspace, draft, source, target, moved)
}

async function checkTarget (source: Place, target: Place, node: TreeNode, refuse: (code: FileSystemErrorCode) => never, options: AbortOptions): Promise<void> {
  const { node: before } = target
  const isDirectory = node.kind === 'directory'

  if (isDirectory && `${canonicalPath(target)}/`.startsWith(`${canonicalPath(source)}/`)) {
    refuse('EINVAL')
  }

  // what is above the source is not empty, whatever the source is
  if (`${canonicalPath(source)}/`.startsWith(`${canonicalPath(target)}/`)) {
    refuse('ENOTEMPTY')
  }

  if (before === undefined) {
    return
  }

  if (isDirectory && before.kind !== 'directory') {
    refuse('ENOTDIR')
  }

  if (!isDirectory && before.kind === 'directory') {
    refuse('EISDIR')
  }

  if (before.kind === 'directory' && !await isEmpty(before, options)) {
    refuse('ENOTEMPTY')
  }
}

function move (workspace: Workspace, draft: Draft, source: Place, target: Place, moved: Change): void {
  const directory = draft.open(target.way)

  if (target.node !== undefined) {
    workspace.files.moved(target)
  }

  workspace.files.moved(source, target)
  put(workspace, draft, source, null)
  draft.set(directory, target.name, moved, target.node)
  draft.touch(directory, workspace.now())
  tell(workspace, 'rename', target)
}
