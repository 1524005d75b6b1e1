import * as crypto from 'node:crypto'

/**
 * The sha2-256 digest of some bytes, 32 bytes long, or a promise of it where WebCrypto is the faster way: for large
 * inputs, and in the browser's twin of this file for all but small ones.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

// every entry point imports this file, so this is where too old a runtime is told in one sentence
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 16)) {
  throw new Error(`dagfs needs Node.js 22.16 or newer, this is Node.js ${process.versions.node}`)
}

// what is hashed for longer than it takes to hand it over, and to copy it, leaves this thread to others
const threadPoolAboveBytes = 2 ** 18

export const sha256: Sha256 = (bytes) => {
  // WebCrypto refuses memory that is shared
  if (bytes.byteLength <= threadPoolAboveBytes || bytes.buffer instanceof SharedArrayBuffer) {
    return crypto.hash('sha256', bytes, 'buffer')
  }

  return crypto.webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>).then(digest => new Uint8Array(digest))
}
