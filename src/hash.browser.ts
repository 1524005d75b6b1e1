import { sha256 as noble } from '@noble/hashes/sha2.js'
import type { Sha256 } from './hash.ts'

// a call of WebCrypto takes 3 µs in Chromium 156 and 20 µs in Firefox 153, and little more up to 4 KiB (5 and 29 µs). Plain
// JavaScript takes 10 µs in the one and 22 µs in the other for 512 bytes, and 57 and 92 µs for 4 KiB: it is the faster one up
// to some 128 bytes there and 512 here
const webCryptoAboveBytes = 512

export const sha256: Sha256 = (bytes) => {
  // WebCrypto is absent on pages that were not loaded over a secure connection
  if (bytes.byteLength <= webCryptoAboveBytes || globalThis.crypto?.subtle == null) {
    return noble(bytes)
  }

  return globalThis.crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>).then(digest => new Uint8Array(digest))
}
