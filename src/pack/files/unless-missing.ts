import { isErrorCode } from './error-code.ts'

/** The blocks of a segment that is not there cannot be read, which verify() tells; the others can. */
export async function unlessMissing <T> (work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (err) {
    if (isErrorCode(err, 'ENOENT')) {
      return undefined
    }

    throw err
  }
}
