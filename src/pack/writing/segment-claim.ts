import { StoreStateError } from '../../errors.ts'
import type { OpenFile } from '../files/files.ts'
import type { Claim } from '../format/store-file.ts'

/** What is asked before anything is written, and before it is told to be stored */
export type WritingClaim = Pick<Claim, 'requireOwn'>

/** A claim to a store and to a segment of it: one that was removed or replaced would take what nobody finds. */
export function segmentClaim (claim: WritingClaim, file: OpenFile, path: string): WritingClaim {
  return {
    requireOwn () {
      claim.requireOwn()

      if (!file.isAt(path)) {
        throw new StoreStateError('the current segment was removed, moved or replaced: nothing more is written here; close the store, restore the file, and open the store again', { path })
      }
    }
  }
}
