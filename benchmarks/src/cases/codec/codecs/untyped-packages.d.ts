// what these packages have of types is nothing, or does not resolve

declare module 'borc' {
  const borc: {
    readonly Decoder: new (options: { size: number }) => { decodeAll(bytes: Uint8Array): unknown[] }
    encode(value: unknown): Uint8Array
  }

  export default borc
}

declare module 'dag-cbor-2' {
  export function encode (value: unknown): Uint8Array
  export function decode (bytes: Uint8Array): unknown
}
