import { FileSystemError } from '../../errors.ts'
import { joinPath } from '../../path.ts'
import type { Attributes, FileEntry } from '../../codec/index.ts'
import type { Located, TreeFile } from '../../tree/index.ts'
import type { Change } from '../draft-directory.ts'
import type { Draft } from '../draft.ts'
import type { Workspace } from '../workspace.ts'

/** What new files and directories are not given of the mode that is asked for, as is usual. */
const umask = 0o022

/** Somewhere that a path leads to and that is not the root. */
export type Place = Located & { readonly name: string }

/**
 * Refuses the root, which no directory holds.
 */
export function isPlace (located: Located): located is Place {
  return located.name !== undefined
}

/** The path from the root on which no link is. */
export function canonicalPath ({ way, name }: Located): string {
  const directory = way.slice(1).reduce((path, { name: segment }) => joinPath(path, segment), '/')

  return name === undefined ? directory : joinPath(directory, name)
}

/**
 * Puts something where a path leads, in the place of what is there.
 */
export function put (workspace: Workspace, draft: Draft, place: Place, change: Change): void {
  const directory = draft.open(place.way)
  draft.set(directory, place.name, change, place.node)

  if (place.node !== undefined) {
    workspace.files.removed(canonicalPath(place))
  }

  const mtime = directory.parent === undefined ? undefined : workspace.now()

  if (mtime !== undefined) {
    draft.setAttributes(directory, { ...directory.attributes, mtime })
  }
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

/**
 * What is there.
 *
 * @throws {FileSystemError} ENOENT
 */
export function present ({ node }: Located, syscall: string, path: string): NonNullable<Located['node']> {
  if (node === undefined) {
    throw new FileSystemError('ENOENT', syscall, path)
  }

  return node
}
