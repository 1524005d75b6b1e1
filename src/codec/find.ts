import { cidBytes } from './cid.ts'
import { decodeDirectory, openDirectory, readBranch, readItemCount, readLevel } from './directory.ts'
import { readEntry } from './entry.ts'
import { maxEntryBytes } from './limits.ts'
import { argumentAt, behindHead, lengthAt, outside, skipItem, skipString, skipUnsigned } from './skip.ts'
import type { Cursor } from './cursor.ts'
import type { Block, Branch, Entry } from './schema.ts'

interface Sums {
  /** The name that the block begins with; undefined for the empty directory */
  readonly first: string | undefined
  /** Entries of this directory in and below the block */
  readonly count: number
  /** Bytes of all files below */
  readonly size: number
}

/** What a look-up in a leaf gives. */
export interface FoundInLeaf extends Sums {
  readonly level: 0
  readonly entry: Entry | undefined
}

/** What a look-up in a branch node gives. */
export interface FoundInBranches extends Sums {
  readonly level: number
  /** The last branch that begins at or before the name, or the first where all begin after it */
  readonly branch: Branch
  /** How many branches the node has */
  readonly branches: number
}

export type FoundInDirectory = FoundInLeaf | FoundInBranches

const entryHeads = { plain: 0x84, withAttributes: 0x85 } as const
const branchHead = 0x84
const kindHead = 0x61
const kinds = { file: 0x66, directory: 0x64, symlink: 0x6c } as const
const majorBytes = 2
const majorText = 3
const encoder = new TextEncoder()

/**
 * Looks a name up in an encoded block of a directory: its entry in a leaf, the branch to descend in a branch node. Only
 * that one item is decoded, as strictly as `decodeDirectory` does it, and where that accepts the block, both agree.
 *
 * Of the other items it is checked that they are canonical CBOR of the right shape and length, in strict order by
 * name, with known kinds and safe sums. So there is one place where the name could stand, and `first`, `count` and
 * `size` are what the block claims. Not checked of them is whether their names may be names, whether links are CIDs,
 * whether sizes are those of the contents, and what stands in attributes: faults of items that were not asked for, which
 * whoever asks for them meets. Whether the bytes are those that the CID names is for the reader of blocks to check, as it is for `decodeDirectory`.
 *
 * @throws {InvalidNodeError} where the block is not a directory's, or what is looked at is not canonical
 * @throws {UnsupportedVersionError} where it is a node of a kind that this release does not know
 */
export function findInDirectory (block: Block, name: string): FoundInDirectory {
  const { cursor, key } = openDirectory(block)
  const search = new Search(cursor, encoder.encode(name))
  const found = key === 'dir' ? findInLeaf(cursor, search) : findInBranches(cursor, search)

  return found ?? refuse(block)
}

/** The slow twin says in words what is wrong. */
function refuse (block: Block): never {
  decodeDirectory(block)
  throw new Error('a block was refused in place, and decodes')
}

function findInLeaf (cursor: Cursor, search: Search): FoundInLeaf | undefined {
  const { bytes } = cursor
  const end = bytes.byteLength
  const count = readItemCount(cursor, 'dir')
  let at = cursor.position
  let size = 0

  for (let left = count; left > 0; left--) {
    const start = at
    const head = bytes[start]
    at = search.pass(start)
    const kind = kindAt(bytes, at)
    at = skipContent(bytes, at + 2, kind, end)

    if (kind !== kinds.symlink) {
      size += argumentAt(bytes, at)
    }

    at = skipUnsigned(bytes, at)

    if (head === entryHeads.withAttributes) {
      at = skipItem(bytes, at, end)
    } else if (head !== entryHeads.plain) {
      return
    }

    if (at > end || at - start > maxEntryBytes) {
      return
    }
  }

  if (at === end && Number.isSafeInteger(size)) {
    return { level: 0, first: search.first(), count, size, entry: search.isExact ? search.read(readEntry) : undefined }
  }
}

/** The one letter of an entry's kind, or 0. */
function kindAt (bytes: Uint8Array, at: number): number {
  return bytes[at] === kindHead ? bytes[at + 1] : 0
}

function skipContent (bytes: Uint8Array, at: number, kind: number, end: number): number {
  const type = bytes[at] >> 5

  switch (kind) {
    case kinds.file:
      return type === majorBytes ? skipString(bytes, at) : skipLink(bytes, at)
    case kinds.directory:
      return skipLink(bytes, at)
    case kinds.symlink:
      return type === majorText ? skipString(bytes, at) : outside
    default:
      return outside
  }
}

/** The position behind a link of the format: tag 42, the head of 37 bytes, a zero, and the CID. */
function skipLink (bytes: Uint8Array, at: number): number {
  return bytes[at] === 0xd8 && bytes[at + 1] === 0x2a && bytes[at + 2] === 0x58 && bytes[at + 3] === cidBytes + 1 ? at + 5 + cidBytes : outside
}

function findInBranches (cursor: Cursor, search: Search): FoundInBranches | undefined {
  const { bytes } = cursor
  const end = bytes.byteLength
  const level = readLevel(cursor)
  const branches = readItemCount(cursor, 'branches')
  let at = cursor.position
  let [count, size] = [0, 0]

  for (let left = branches; left > 0; left--) {
    const start = at
    at = skipLink(bytes, search.pass(start))
    count += argumentAt(bytes, at)
    at = skipUnsigned(bytes, at)
    size += argumentAt(bytes, at)
    at = skipUnsigned(bytes, at)

    if (bytes[start] !== branchHead || at > end) {
      return
    }
  }

  if (at === end && branches > 0 && Number.isSafeInteger(count) && Number.isSafeInteger(size)) {
    return { level, first: search.first(), count, size, branch: search.read(readBranch), branches }
  }
}

/**
 * Holds the names of a node's items, one after the other, against the one that is looked for.
 */
class Search {
  /** Whether the item has the very name */
  isExact = false
  readonly #cursor: Cursor
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #name: Uint8Array
  /** Where the last item begins that is not behind the name, else the first */
  #item = 0
  #isBehind = false
  /** How many bytes the name has in common with the one before, as long as that one is not behind it */
  #shared = 0
  #firstStart = 0
  #firstEnd = 0
  /** Where the name before stands */
  #start = 0
  #end = 0

  constructor (cursor: Cursor, name: Uint8Array) {
    const { bytes } = cursor
    this.#cursor = cursor
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#name = name
  }

  /** The position behind the name of the item that begins at `item`, which is outside where that is no string or out of order. */
  pass (item: number): number {
    const bytes = this.#bytes
    const start = behindHead(bytes, item + 1)
    const end = start + lengthAt(bytes, item + 1)

    if (bytes[item + 1] >> 5 !== majorText || end > bytes.byteLength) {
      return outside
    }

    let common = 0

    if (this.#end === 0) {
      this.#item = item
      this.#firstStart = start
      this.#firstEnd = end
    } else {
      common = commonBytes(this.#view, this.#start, this.#end, start, end)

      if (start + common === end || (this.#start + common < this.#end && bytes[this.#start + common] > bytes[start + common])) {
        return outside
      }
    }

    this.#start = start
    this.#end = end

    // with more in common with the name before than that has with ours, it is before ours as well
    if (!this.#isBehind && common <= this.#shared) {
      this.#compare(start, end, common, item)
    } else if (!this.#isBehind) {
      this.#item = item
    }

    return end
  }

  /** Compares a name, of which so many bytes are those of the name before, with ours. */
  #compare (start: number, end: number, common: number, item: number): void {
    const bytes = this.#bytes
    const name = this.#name
    let shared = common

    // it left the name before earlier than ours did, upwards
    if (common < this.#shared) {
      this.#isBehind = true
      return
    }

    while (start + shared < end && shared < name.byteLength && bytes[start + shared] === name[shared]) {
      shared++
    }

    this.#shared = shared
    this.isExact = start + shared === end && shared === name.byteLength
    this.#isBehind = this.isExact || (start + shared < end && (shared === name.byteLength || bytes[start + shared] > name[shared]))

    if (this.isExact || !this.#isBehind) {
      this.#item = item
    }
  }

  /** Decodes the item that was found. */
  read <T> (readItem: (cursor: Cursor) => T): T {
    this.#cursor.position = this.#item

    return readItem(this.#cursor)
  }

  /** The name of the first item. */
  first (): string | undefined {
    return this.#end === 0 ? undefined : this.#cursor.decodeText(this.#bytes.subarray(this.#firstStart, this.#firstEnd))
  }
}

/** With how many equal bytes two stretches of a block begin. */
function commonBytes (view: DataView, aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart)
  let common = 0

  // four bytes at once: names that follow each other often have a long beginning in common
  while (common + 4 <= length) {
    const difference = view.getInt32(aStart + common) ^ view.getInt32(bStart + common)

    if (difference !== 0) {
      return common + (Math.clz32(difference) >> 3)
    }

    common += 4
  }

  while (common < length && view.getUint8(aStart + common) === view.getUint8(bStart + common)) {
    common++
  }

  return common
}
