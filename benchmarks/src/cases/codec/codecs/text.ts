import { isUtf8 } from 'node:buffer'
import { decodeOptions, encodeOptions } from '@ipld/dag-cbor'
import { Token, Tokenizer, Type, decode, encode } from 'cborg'
import type { Codec } from './codec.ts'

/**
 * What becomes of a string whose bytes are not UTF-8: it is refused, or kept as
 * the bytes that it has
 */
export type IllFormedText = 'refuse' | 'keep'

/**
 * A string that is not UTF-8, which JavaScript has no string for
 */
export class RawText {
  readonly bytes: Uint8Array

  constructor (bytes: Uint8Array) {
    this.bytes = bytes
  }
}

class TextTokenizer extends Tokenizer {
  readonly #treatment: IllFormedText

  constructor (bytes: Uint8Array, treatment: IllFormedText) {
    super(bytes, { ...decodeOptions, retainStringBytes: true })
    this.#treatment = treatment
  }

  override next (): Token {
    const token = super.next()

    if (!Type.equals(token.type, Type.string) || token.byteValue == null || isUtf8(token.byteValue)) {
      return token
    }

    if (this.#treatment === 'refuse') {
      throw new Error('a string is not UTF-8')
    }

    token.value = new RawText(token.byteValue)

    return token
  }
}

/**
 * Decodes dag-cbor, strings that are not UTF-8 included.
 */
function decodeText (bytes: Uint8Array, treatment: IllFormedText): unknown {
  return decode(bytes, { ...decodeOptions, tokenizer: new TextTokenizer(bytes, treatment) })
}

const keepingOptions = {
  ...encodeOptions,
  typeEncoders: {
    ...encodeOptions.typeEncoders,

    // cborg asks this one about every object that it does not know
    Object (value: unknown) {
      if (!(value instanceof RawText)) {
        return encodeOptions.typeEncoders.Object(value)
      }

      const token = new Token(Type.string, '')

      token.encodedBytes = value.bytes

      return [token]
    }
  }
}

export const refusingText: Codec = {
  encode: value => encode(value, encodeOptions),
  decode: bytes => decodeText(bytes, 'refuse')
}

export const keepingText: Codec = {
  encode: value => encode(value, keepingOptions),
  decode: bytes => decodeText(bytes, 'keep')
}
