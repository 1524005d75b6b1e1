/**
 * A library that encodes and decodes CBOR
 */
export interface Codec {
  encode(value: unknown): Uint8Array
  decode(bytes: Uint8Array): unknown
  /**
   * Turns a value into what the library takes for it, outside of the clock
   */
  prepare?(value: unknown): unknown
}
