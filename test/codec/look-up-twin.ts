import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import { toHex } from 'multiformats/bytes'
import { areEqualBytes } from '../../src/bytes.ts'
import { decodeDirectory, encodeEntry, findInDirectory, isLeaf } from '../../src/codec/index.ts'
import { compareNames } from '../../src/path.ts'
import { refusal } from './refusal.ts'
import type { Block, Entry, FoundInDirectory } from '../../src/codec/index.ts'

const refusals = ['InvalidNodeError', 'UnsupportedVersionError', 'LimitExceededError']

/** Names to look up, some of which stand in fixtures */
export const names = ['a', 'b', 'n', '\u{1f600}', '']

/** What the look-up must answer, out of all that the block holds. */
function lookedUp (block: Block, name: string): FoundInDirectory {
  const node = decodeDirectory(block)

  if (isLeaf(node)) {
    const { entries } = node
    const size = entries.reduce((sum, entry) => sum + (entry.kind === 'symlink' ? 0 : entry.size), 0)

    return { level: 0, first: entries[0]?.name, count: entries.length, size, entry: entries.find(entry => entry.name === name) }
  }

  const { level, branches } = node

  return {
    level,
    first: branches[0].first,
    count: branches.reduce((sum, { count }) => sum + count, 0),
    size: branches.reduce((sum, { size }) => sum + size, 0),
    branch: branches.findLast(({ first }) => compareNames(first, name) <= 0) ?? branches[0],
    branches: branches.length
  }
}

/** Whatever is looked up in a block that decodes, decoding it finds the same. */
export function expectAgreement (block: Block): void {
  const node = decodeDirectory(block)
  const present = isLeaf(node) ? node.entries.map(({ name }) => name) : node.branches.map(({ first }) => first)

  for (const name of [...present, ...present.map(name => `${name}!`), ...names]) {
    expect(findInDirectory(block, name), `${name} in ${toHex(block.bytes)}`).to.deep.equal(lookedUp(block, name))
  }
}

/** What is wrong with how a look-up treats bytes that may be anything, or undefined. */
export function lookUpFault (block: Block, name: string): string | undefined {
  const error = refusal(block => findInDirectory(block, name), block)

  if (error !== undefined) {
    if (!refusals.includes(error)) {
      return `it was refused with ${error}`
    }

    return refusal(decodeDirectory, block) === undefined ? 'it was refused, and decodes' : undefined
  }

  if (refusal(decodeDirectory, block) === undefined) {
    expectAgreement(block)
    return
  }

  const found = findInDirectory(block, name)

  return 'entry' in found && found.entry !== undefined ? entryFault(block, found.entry) : undefined
}

/** In a block that is refused as a whole, an entry is still what `@ipld/dag-cbor` reads there. */
function entryFault ({ bytes }: Block, entry: Entry): string | undefined {
  const encoded = encodeEntry(entry)
  const at = bytes.findIndex((_, i) => areEqualBytes(bytes.subarray(i, i + encoded.byteLength), encoded))

  if (at === -1) {
    return 'it answered an entry that does not stand there'
  }

  const tuple: unknown[] = dagCbor.decode(bytes.subarray(at, at + encoded.byteLength))

  // the twin drops a leading U+FEFF
  return tuple[0] === entry.name.replace(/^\ufeff/, '') ? undefined : 'it answered another name'
}
