import fs from 'node:fs'
import { withPath } from './read-host-file.ts'

/** A host file that is open for writing. */
export interface WritableFile {
  readonly descriptor: number
  readonly hostPath: string
}

/**
 * Closes a file once it is written, or failed to be. Disks behind a network, and those with quotas, may tell only then that
 * it could not be: that is a failure of the work as any other, and it is closed all the same.
 *
 * @throws {Error} what the work throws, and what `node:fs` throws
 */
export async function thenClose <T> ({ descriptor, hostPath }: WritableFile, work: () => Promise<T>): Promise<T> {
  let done: T

  try {
    done = await work()
  } catch (err) {
    closeFailed(descriptor)
    throw err
  }

  try {
    fs.closeSync(descriptor)
  } catch (err) {
    throw withPath(err, hostPath)
  }

  return done
}

function closeFailed (descriptor: number): void {
  try {
    fs.closeSync(descriptor)
  } catch {
    // why the work failed is what the caller has to hear
  }
}
