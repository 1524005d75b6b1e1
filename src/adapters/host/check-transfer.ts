import { InvalidOptionError } from '../../errors.ts'
import { pathOption } from '../../options.ts'
import type { ReadonlyDagFs } from '../../fs/index.ts'

/**
 * Refuses a filesystem and a directory of the host that are missing or exchanged. `call` is how it is called, and `argument` what
 * the directory is called there.
 */
export function checkTransfer (call: string, fs: ReadonlyDagFs, argument: string, directory: string): void {
  if (typeof fs?.stat !== 'function') {
    throw new InvalidOptionError('fs', `must be a filesystem: ${call}`)
  }

  pathOption(argument, directory, `must be the path of a directory: ${call}`)
}
