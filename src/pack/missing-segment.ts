import { CorruptStoreError } from '../errors.ts'
import type { CID } from 'multiformats/cid'

/** What whoever needs a segment is told where it is not there, though the store consists of it. */
export function missingSegment (path: string, cause: unknown, cid?: CID): CorruptStoreError {
  return new CorruptStoreError('a segment is missing: put it back, or run verify() to heal or drop what stood there', { path, cid, cause })
}
