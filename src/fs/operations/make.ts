import { targetFault } from '../../codec/index.ts'
import { FileSystemError } from '../../errors.ts'
import { parentPath, withoutLastSlash } from '../../path.ts'
import { resolve } from '../../tree/index.ts'
import { isPlace, locateName, newAttributes, put, refusing } from './place.ts'
import type { AbortOptions } from '../../options.ts'
import type { Located } from '../../tree/index.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

const encoder = new TextEncoder()
const maxTargetBytes = 4096

/**
 * Makes a directory.
 *
 * @throws {FileSystemError} EEXIST, ENOENT, ENOTDIR, ELOOP
 */
export async function makeDirectory (workspace: Workspace, draft: Draft, path: string, mode: number | undefined, options: AbortOptions, syscall = 'mkdir'): Promise<void> {
  const located = await locateName(draft.root, path, syscall, options)

  if (located.node !== undefined || !isPlace(located)) {
    throw new FileSystemError('EEXIST', syscall, path)
  }

  putDirectory(workspace, draft, located, mode)
}

function putDirectory (workspace: Workspace, draft: Draft, located: Located, mode: number | undefined): void {
  if (isPlace(located)) {
    put(workspace, draft, located, draft.newDirectory(located.name, newAttributes(workspace, mode).attributes))
  }
}

/**
 * Makes a directory and those above it that are missing, step by step as Node does: up to what is there, and back. Returns
 * the path of the first that was made; none where all were there.
 *
 * @throws {FileSystemError} EEXIST where something else is there, ENOTDIR, ENOENT for a link that leads nowhere, ELOOP
 */
export async function makeDirectories (workspace: Workspace, draft: Draft, path: string, mode: number | undefined, options: AbortOptions): Promise<string | undefined> {
  const waiting: string[] = []
  let first: string | undefined

  for (let here: string | undefined = path; here !== undefined; here = waiting.pop()) {
    const made: string = here

    try {
      await makeDirectory(workspace, draft, made, mode, options)
      first ??= made
    } catch (err) {
      if (!(err instanceof FileSystemError) || err.code === 'ENOTDIR' || path === '') {
        throw err
      }

      if (err.code === 'ENOENT') {
        waiting.push(made, pathAbove(made))
      } else {
        await checkDirectory(draft, made, err, waiting.length === 0, options)
      }
    }
  }

  return first
}

/** The path without its last slash, or without its last name. */
function pathAbove (path: string): string {
  return path.endsWith('/') ? withoutLastSlash(path) : parentPath(path)
}

/**
 * Takes a directory that could not be made for made where it is there.
 *
 * @throws {FileSystemError} what the refusal says of the path at the end, ENOTDIR for a path on the way
 */
async function checkDirectory (draft: Draft, path: string, refusal: FileSystemError, isEnd: boolean, options: AbortOptions): Promise<void> {
  const isOnTheWay = refusal.code === 'EEXIST' && !isEnd

  try {
    if ((await resolve(draft.root, path, 'mkdir', options)).kind === 'directory') {
      return
    }
  } catch (err) {
    if (!(err instanceof FileSystemError && isOnTheWay)) {
      throw err
    }
  }

  throw new FileSystemError(isOnTheWay ? 'ENOTDIR' : 'EEXIST', 'mkdir', path)
}

/**
 * Makes a symbolic link.
 *
 * @throws {FileSystemError} EEXIST, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG and EINVAL for a target that no link can have
 */
export async function makeLink (workspace: Workspace, draft: Draft, target: string, path: string, options: AbortOptions): Promise<void> {
  const refuse = (code: FileSystemError['code']): never => { throw new FileSystemError(code, 'symlink', target, undefined, path) }
  const size = encoder.encode(target).byteLength

  if (target === '' || size > maxTargetBytes) {
    refuse(target === '' ? 'ENOENT' : 'ENAMETOOLONG')
  }

  if (targetFault(target) !== undefined) {
    refuse('EINVAL')
  }

  const located = await refusing(refuse, async () => locateName(draft.root, path, 'symlink', options))

  if (located.node !== undefined || !isPlace(located)) {
    return refuse('EEXIST')
  }

  if (located.isDirectoryPath) {
    refuse('ENOENT')
  }

  put(workspace, draft, located, { name: located.name, kind: 'symlink', content: target, size, ...newAttributes(workspace, undefined) })
}
