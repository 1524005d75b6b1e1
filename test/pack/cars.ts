import * as dagCbor from '@ipld/dag-cbor'
import { concat } from '../../src/bytes.ts'
import { headBytes, keyOf, writeHead } from '../../src/pack/format/section.ts'
import type { TestBlock } from './stores.ts'

/** The sections of a CAR: its header, and blocks */
export function carSections (put: readonly TestBlock[]): Uint8Array[] {
  const header = dagCbor.encode({ roots: put.slice(0, 1).map(({ cid }) => cid), version: 1 })

  return [concat([Uint8Array.of(header.byteLength), header]), ...put.map(sectionOf)]
}

function sectionOf ({ cid, bytes }: TestBlock): Uint8Array {
  const key = keyOf(cid)
  const length = headBytes(key, bytes.byteLength)
  const section = new Uint8Array(length + bytes.byteLength)
  writeHead(section, 0, key, bytes.byteLength)
  section.set(bytes, length)

  return section
}

/** A CAR as a stream, in pieces that end anywhere */
export async function * carOf (put: readonly TestBlock[]): AsyncGenerator<Uint8Array> {
  yield * pieces(concat(carSections(put)))
}

export async function * pieces (bytes: Uint8Array, length = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) {
    yield bytes.subarray(at, at + length)
  }
}
