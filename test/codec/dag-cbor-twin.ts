import * as dagCbor from '@ipld/dag-cbor'
import { decodeDirectory, decodeParts, decodeRootRecord, decodeSnapshot } from '../../src/codec/index.ts'
import { refusal } from './refusal.ts'
import type { Block } from '../../src/codec/index.ts'

export const decoders = {
  directory: decodeDirectory,
  index: decodeParts,
  snapshot: decodeSnapshot,
  // no block, so its CID is nobody's
  root: ({ bytes }: Block) => decodeRootRecord(bytes)
}

export type Kind = keyof typeof decoders

const refusals = new Set(['InvalidNodeError', 'UnsupportedVersionError', 'LimitExceededError'])

/**
 * What is wrong with how a block is treated, or undefined. Right is: it is refused with an error of ours, or `@ipld/dag-cbor`, the
 * slow twin, decodes it and encodes it again to the same bytes.
 */
export function treatmentFault (kind: Kind, block: Block): string | undefined {
  const error = refusal(decoders[kind], block)

  if (error !== undefined) {
    return refusals.has(error) ? undefined : `it was refused with ${error}`
  }

  // the twin drops a leading U+FEFF
  if (holdsByteOrderMark(block.bytes)) {
    return
  }

  const again = dagCbor.encode(dagCbor.decode(block.bytes))

  return again.byteLength === block.bytes.byteLength && again.every((byte, i) => byte === block.bytes[i]) ? undefined : 'it was accepted, and encodes to other bytes'
}

function holdsByteOrderMark (bytes: Uint8Array): boolean {
  for (let i = bytes.indexOf(0xef); i !== -1; i = bytes.indexOf(0xef, i + 1)) {
    if (bytes[i + 1] === 0xbb && bytes[i + 2] === 0xbf) {
      return true
    }
  }

  return false
}
