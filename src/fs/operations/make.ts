import { targetFault } from '../../codec/index.ts'
import { FileSystemError } from '../../errors.ts'
import { lastSegment, parentPath, withoutLastSlash } from '../../path.ts'
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
  const located = await locateName(draft.root, path, syscall, () => { throw new FileSystemError('EEXIST', syscall, path) }, options)

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
 * Makes a directory and those above it that are missing. Answers the path of the first that was made; none where all
 * were there.
 *
 * @throws {FileSystemError} EEXIST where something else is there, ENOTDIR, ENOENT for a link that leads nowhere, ELOOP
 */
export async function makeDirectories (workspace: Workspace, draft: Draft, path: string, mode: number | undefined, options: AbortOptions): Promise<string | undefined> {
  if (path.endsWith('/') && await isThere(draft, path, options)) {
    return
  }

  const missing: string[] = []
  let here = path
  let located = await locateMaybe(draft, here, options)

  // from the end to what is there, and back
  while (located === undefined) {
    missing.push(here)
    here = parentPath(here)
    located = await locateMaybe(draft, here, options)
  }

  if (located.node === undefined) {
    missing.push(here)
  } else if (missing.length === 0) {
    await checkDirectory(draft, path, options)
  } else if (located.node.kind === 'symlink') {
    // one that leads nowhere: else more of the path would be there
    throw new FileSystemError('ENOTDIR', 'mkdir', here)
  }

  for (const each of missing.toReversed()) {
    // `a/..` and `a/.` come to be with `a`
    if (!['.', '..'].includes(lastSegment(each))) {
      await makeDirectory(workspace, draft, each, mode, options)
    }
  }

  return missing.at(-1)
}

/**
 * Whether a path with a slash at its end leads to a directory.
 *
 * @throws {FileSystemError} ENOTDIR for a file, ENOENT for a link that leads nowhere
 */
async function isThere (draft: Draft, path: string, options: AbortOptions): Promise<boolean> {
  try {
    await resolve(draft.root, path, 'mkdir', options)

    return true
  } catch (err) {
    if (err instanceof FileSystemError && err.code === 'ENOENT' && (await locateMaybe(draft, withoutLastSlash(path), options))?.node === undefined) {
      return false
    }

    throw err
  }
}

/** Where a path leads; undefined where what it leads through is missing. */
async function locateMaybe (draft: Draft, path: string, options: AbortOptions): Promise<Located | undefined> {
  try {
    return await locateName(draft.root, path, 'mkdir', () => { throw new FileSystemError('EEXIST', 'mkdir', path) }, options)
  } catch (err) {
    if (err instanceof FileSystemError && err.code === 'ENOENT' && path !== '') {
      return undefined
    }

    throw err
  }
}

async function checkDirectory (draft: Draft, path: string, options: AbortOptions): Promise<void> {
  if ((await resolve(draft.root, path, 'mkdir', options)).kind !== 'directory') {
    throw new FileSystemError('EEXIST', 'mkdir', path)
  }
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

  const located = await refusing(refuse, async () => locateName(draft.root, path, 'symlink', () => refuse('EEXIST'), options))

  if (located.node !== undefined || !isPlace(located)) {
    return refuse('EEXIST')
  }

  if (located.isDirectoryPath) {
    refuse('ENOENT')
  }

  put(workspace, draft, located, { name: located.name, kind: 'symlink', content: target, size, ...newAttributes(workspace, undefined) })
}
