import { CID } from 'multiformats/cid'
import { encode, readProperty } from '../internals.ts'
import type { Codec } from './codec.ts'

// no error of ours has to name a block here
const cid = CID.parse('bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua')

/**
 * Our own reader of any dag-cbor block, and the function that encodes our nodes
 */
export const dagfsReading: Codec = {
  encode,
  decode: bytes => readProperty({ cid, bytes }, [])
}
