import * as crypto from 'node:crypto'

/**
 * The sha2-256 digest of some bytes, 32 bytes long. The browser's twin of this file answers with a promise where
 * WebCrypto is the faster way, so callers await what they get.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

// every import of the package ends here, so this is where too old a runtime is told in one sentence
const major = Number.parseInt(process.versions.node, 10)

if (major < 22) {
  throw new Error(`dagfs needs Node.js 22.13 or newer, this is Node.js ${process.versions.node}`)
}

export const sha256: Sha256 = (bytes) => crypto.hash('sha256', bytes, 'buffer')
