import { InvalidOptionError } from '../errors.ts'

/**
 * Refuses names that stores would not tell apart: encoded as UTF-8, lone surrogates are all the same.
 *
 * @throws {InvalidOptionError} where a name is no well-formed Unicode
 */
export function checkName (name: string): void {
  if (typeof name !== 'string' || !name.isWellFormed()) {
    throw new InvalidOptionError('name', 'must be well-formed Unicode')
  }
}

/**
 * Refuses what is neither a record nor the absence of one.
 *
 * @throws {InvalidOptionError} for a name or record that cannot be one
 */
export function checkRecord (name: string, next: Uint8Array | undefined): void {
  checkName(name)

  if (next !== undefined && !(next instanceof Uint8Array)) {
    throw new InvalidOptionError('next', 'must be a Uint8Array, or undefined to remove the name')
  }
}
