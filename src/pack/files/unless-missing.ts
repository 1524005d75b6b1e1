import { isErrorCode } from './error-code.ts'

/** Returns undefined where a file is not there: verify() tells of it where blocks stood in it, and nothing is left to remove. */
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
