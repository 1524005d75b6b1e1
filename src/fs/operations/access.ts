import { FileSystemError } from '../../errors.ts'
import { constants } from '../node-api/constants.ts'
import { defaultModes } from '../node-api/stats.ts'
import type { TreeNode } from '../../tree/index.ts'

const anyExecuteBit = 0o111

/**
 * Checks what is asked of a path. There are no users here, so everything can be read and, where the filesystem is not
 * read-only, written; a file can be executed where any of its bits says so.
 *
 * @throws {FileSystemError} EACCES, EROFS
 */
export function checkAccess (node: TreeNode, path: string, mode: number, isReadonly: boolean): void {
  if (isReadonly && (mode & constants.W_OK) !== 0) {
    throw new FileSystemError('EROFS', 'access', path)
  }

  const bits = node.attributes?.mode ?? defaultModes[node.kind]

  if ((mode & constants.X_OK) !== 0 && (bits & anyExecuteBit) === 0) {
    throw new FileSystemError('EACCES', 'access', path)
  }
}
