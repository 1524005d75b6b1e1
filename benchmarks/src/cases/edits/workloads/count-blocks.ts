import * as raw from 'multiformats/codecs/raw'
import type { Counted } from './workload.ts'
import type { CountingStore } from '../../../harness/counting-store.ts'

/**
 * Says what a store was asked for, each block that was put once.
 */
export function countBlocks ({ blocks, gets }: CountingStore): Counted {
  return {
    blocksRead: gets,
    blocksPut: blocks.length,
    leavesPut: blocks.filter(({ cid }) => cid.code === raw.code).length,
    bytesPut: blocks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  }
}
