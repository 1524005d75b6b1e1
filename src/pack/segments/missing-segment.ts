import { CorruptStoreError } from '../../errors.ts'
import { isErrorCode } from '../files/error-code.ts'
import type { Segments } from './segments.ts'
import type { OpenFile } from '../files/files.ts'
import type { CID } from 'multiformats/cid'

/** What whoever needs a segment is told where it is not there, though the store consists of it. */
export function missingSegment (path: string, cause: unknown, cid?: CID): CorruptStoreError {
  return new CorruptStoreError('a segment is missing: restore it, or run verify() to heal or drop its blocks', { path, cid, cause })
}

export function isMissingSegment (err: unknown): boolean {
  return err instanceof CorruptStoreError && isErrorCode(err.cause, 'ENOENT')
}

/**
 * Uses a segment that was listed.
 *
 * @throws {CorruptStoreError} where it is not there any more
 */
export async function usePresent <T> (segments: Segments, segment: number, work: (file: OpenFile) => Promise<T>): Promise<T> {
  return requirePresent(segments, segment, segments.use(segment, work))
}

/**
 * What is done with a segment that has to be there: nobody but a compaction removes one.
 *
 * @throws {CorruptStoreError} where it is not there any more
 */
export async function requirePresent <T> (segments: Segments, segment: number, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (err) {
    throw isErrorCode(err, 'ENOENT') ? missingSegment(segments.path(segment), err) : err
  }
}
