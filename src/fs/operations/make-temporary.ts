import { FileSystemError } from '../../errors.ts'
import { makeDirectory } from './make.ts'
import type { AbortOptions } from '../../options.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const temporaryLetters = 6

/**
 * Makes a directory of a name that no other has, and returns its path.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP
 */
export async function makeTemporaryDirectory (workspace: Workspace, draft: Draft, prefix: string, options: AbortOptions): Promise<string> {
  for (;;) {
    const path = prefix + Array.from(crypto.getRandomValues(new Uint8Array(temporaryLetters)), byte => letters[byte % letters.length]).join('')

    try {
      await makeDirectory(workspace, draft, path, 0o700, options, 'mkdtemp')

      return path
    } catch (err) {
      if (!(err instanceof FileSystemError && err.code === 'EEXIST')) {
        throw err
      }
    }
  }
}
