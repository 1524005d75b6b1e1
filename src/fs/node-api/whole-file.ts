import { FileTooLargeError } from '../../errors.ts'

// as in Node; a file may claim 2^53-1 bytes
const maxWholeBytes = 2 ** 31 - 1

/**
 * Whether a file can be read as one, by the size that it claims.
 *
 * @throws {FileTooLargeError}
 */
export function checkWhole (size: number): void {
  if (size > maxWholeBytes) {
    throw new FileTooLargeError(size)
  }
}
