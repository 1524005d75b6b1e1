import { MemoryBlockstore } from 'blockstore-core'
import { SeededRandom } from '../../corpora/keystream.ts'
import type { CID } from 'multiformats/cid'

const PIECE_BYTES = 2 ** 20

/**
 * Takes every block and keeps none
 */
export class DiscardingStore extends MemoryBlockstore {
  put (cid: CID): CID {
    return cid
  }
}

/**
 * Pieces of as many bytes, no two of them the same, as fast as memory is copied.
 */
export function numberedPieces (bytes: number): Iterable<Uint8Array> {
  const random = new SeededRandom('dagfs/memory/pieces')

  // drawn now: it takes longer than the event loop may be held by whoever takes the pieces
  return variations(Uint8Array.from({ length: PIECE_BYTES }, () => random.below(256)), bytes)
}

function * variations (pattern: Uint8Array, bytes: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes; start += PIECE_BYTES) {
    const piece = pattern.slice(0, Math.min(PIECE_BYTES, bytes - start))

    if (piece.byteLength >= 8) {
      new DataView(piece.buffer).setFloat64(0, start)
    }

    yield piece
  }
}
