import { Encoder } from 'cbor-x'
import type { Codec } from './codec.ts'

// plain maps with heads of the shortest form and untagged bytes: as near to dag-cbor as it comes
const encoder = new Encoder({ useRecords: false, mapsAsObjects: true, variableMapSize: true, tagUint8Array: false })

export const cborX: Codec = {
  encode: value => encoder.encode(value),
  decode: bytes => encoder.decode(bytes)
}
