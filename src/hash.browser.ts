import { sha256 as noble } from '@noble/hashes/sha2.js'
import type { Sha256 } from './hash.ts'

// a call of WebCrypto costs 25-40 µs whatever the size; below this, plain JavaScript is done earlier
const webCryptoAboveBytes = 4096

export const sha256: Sha256 = (bytes) => {
  // WebCrypto is absent on pages that were not loaded over a secure connection
  if (bytes.byteLength <= webCryptoAboveBytes || globalThis.crypto?.subtle == null) {
    return noble(bytes)
  }

  return globalThis.crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>).then(digest => new Uint8Array(digest))
}
