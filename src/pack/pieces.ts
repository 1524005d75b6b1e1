import { concat } from '../bytes.ts'
import { sha256 } from '../hash.ts'

/**
 * A record vouches for a range by the sha2-256 of the sha2-256 digests of its pieces, so that the pieces can be hashed
 * beside the thread that makes blocks. Pieces begin at the range's beginning; all but the last have this size.
 */
export const pieceBytes = 2 ** 22

export async function digestOfPieces (digests: readonly Uint8Array[]): Promise<Uint8Array> {
  return sha256(concat(digests))
}
