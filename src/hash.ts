import * as crypto from 'node:crypto'

/**
 * The sha2-256 digest of some bytes, 32 bytes long. The browser's twin of this file answers with a promise where
 * WebCrypto is the faster way, so callers await what they get.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

// every entry point imports this file, so this is where too old a runtime is told in one sentence
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 13)) {
  throw new Error(`dagfs needs Node.js 22.13 or newer, this is Node.js ${process.versions.node}`)
}

export const sha256: Sha256 = (bytes) => crypto.hash('sha256', bytes, 'buffer')
