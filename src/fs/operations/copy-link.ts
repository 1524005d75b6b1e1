import { FileSystemError, OperationError } from '../../errors.ts'
import { isWithin, normalPath, parentPath } from '../../path.ts'
import { locateMaybe, newAttributes, put } from './place.ts'
import type { Place } from './place.ts'
import type { SymlinkEntry } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

interface LinkCopyOptions extends AbortOptions {
  /** Where false, relative targets become absolute */
  readonly verbatimSymlinks?: boolean
}

/**
 * Puts a link like another in the place of nothing, or of a link.
 *
 * @throws {FileSystemError} EEXIST
 * @throws {OperationError} ERR_FS_CP_EINVAL, ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY
 */
export async function copyLink (workspace: Workspace, draft: Draft, link: SymlinkEntry, target: Place, from: string, to: string, options: LinkCopyOptions): Promise<void> {
  const { node } = target
  const content = copiedTarget(options, link, from)

  if (node !== undefined) {
    if (node.kind !== 'symlink') {
      throw new FileSystemError('EEXIST', 'symlink', content, undefined, to)
    }

    await checkLinks(draft, content, node.content, from, to, options)
  }

  put(workspace, draft, target, { name: target.name, kind: 'symlink', content, size: new TextEncoder().encode(content).byteLength, ...newAttributes(workspace, undefined) })
}

/** The target of a link's copy. */
export function copiedTarget ({ verbatimSymlinks }: LinkCopyOptions, { content }: SymlinkEntry, from: string): string {
  return verbatimSymlinks === false && !content.startsWith('/') ? resolvedTarget(from, content) : content
}

/** As Node, takes no link to a directory in the place of one into it, or around it: by their paths, wherever they lead. */
async function checkLinks (draft: Draft, content: string, replaced: string, from: string, to: string, options: AbortOptions): Promise<void> {
  const target = await locateMaybe(draft.root, from, 'stat', { ...options, keepLink: false })

  if (target?.node?.kind !== 'directory') {
    return
  }

  const other = replaced.startsWith('/') ? replaced : resolvedTarget(to, replaced)
  const [path, otherPath] = [normalPath(`/${content}`), normalPath(other)]

  if (isWithin(otherPath, path)) {
    throw new OperationError('ERR_FS_CP_EINVAL', 'cp', to, `cannot copy ${content} to a subdirectory of self ${other}`)
  }

  if (isWithin(path, otherPath)) {
    throw new OperationError('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', 'cp', to, `cannot overwrite ${other} with ${content}`)
  }
}

/** The absolute path that a relative link at a path stands for, as it is written. */
function resolvedTarget (path: string, target: string): string {
  return normalPath(`/${parentPath(path)}/${target}`)
}
