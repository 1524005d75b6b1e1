import { FileSystemError } from '../../errors.ts'
import { isPlace, locatePresent, putAttributes } from './place.ts'
import type { Time } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

/**
 * Records permission bits or a time.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENOTSUP for the root, which has no attributes
 */
export async function setAttributes (workspace: Workspace, draft: Draft, path: string, change: { readonly mode?: number, readonly mtime?: Time }, syscall: string, options: AbortOptions & { keepLink?: boolean }): Promise<void> {
  const located = await locatePresent(draft.root, path, syscall, options)

  if (!isPlace(located)) {
    throw new FileSystemError('ENOTSUP', syscall, path, 'the root has no attributes; a snapshot can')
  }

  await putAttributes(workspace, draft, located, change, options)
}
