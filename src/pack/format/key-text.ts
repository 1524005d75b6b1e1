/** A key as a string, which a Map can find. */
export function keyText (key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
}

export function keyFromText (text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

/** The last 48 bits of a key's hash: what is remembered of many keys, where now and then two may be taken for one */
export function keyNumber (key: Uint8Array): number {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUIntBE(key.byteLength - 6, 6)
}
