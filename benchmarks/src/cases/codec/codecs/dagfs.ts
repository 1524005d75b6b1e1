import { encode } from '@ipld/dag-cbor'
import { CID } from 'multiformats/cid'
import { readProperty } from '../internals.ts'
import type { Codec } from './codec.ts'

// no error of ours has to name a block here
const cid = CID.parse('bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua')

/**
 * Our own reader of any dag-cbor block, and what we encode with
 */
export const dagfsReading: Codec = {
  encode,
  decode: bytes => readProperty({ cid, bytes }, [])
}
