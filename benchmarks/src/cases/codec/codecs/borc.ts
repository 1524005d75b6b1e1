import borcLibrary from 'borc'
import type { Codec } from './codec.ts'

/**
 * What the largest block of ours takes; a decoder is slow to make, and is kept
 */
const HEAP_BYTES = 2 ** 21

const decoder = new borcLibrary.Decoder({ size: HEAP_BYTES })

export const borc: Codec = {
  encode: value => borcLibrary.encode(value),

  decode (bytes) {
    const values = decoder.decodeAll(bytes)

    if (values.length !== 1) {
      throw new Error(`one value was expected, and there are ${values.length}`)
    }

    return values[0]
  }
}
