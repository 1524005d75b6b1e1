/** A key as a string, which a Map can find. */
export function keyText (key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
}

export function keyFromText (text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}
