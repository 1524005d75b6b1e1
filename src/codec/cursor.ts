import { InvalidNodeError, LimitExceededError } from '../errors.ts'
import { readCid } from './cid.ts'
import { maxItems, maxReadBlockBytes } from './limits.ts'
import type { CID } from 'multiformats/cid'

/** Major types of CBOR (RFC 8949, section 3.1). */
export const major = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6, simple: 7 } as const

const linkTag = 42
const maxAsciiBytes = 64
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads canonical dag-cbor from left to right.
 *
 * cborg's decoder accepts what is not canonical (unsorted maps, ill-formed UTF-8, floats that are integers), drops a
 * leading U+FEFF, has no limits and makes a value of everything it meets. The nodes of the format have a known shape,
 * so reading them against it is stricter, and faster where entries have links; tests hold both against
 * each other.
 */
export class Cursor {
  readonly bytes: Uint8Array
  readonly #cid: CID | undefined
  position = 0
  #end: number
  #endReason = 'the node ends too early'
  #major = 0

  constructor (bytes: Uint8Array, cid?: CID) {
    if (bytes.byteLength > maxReadBlockBytes) {
      throw new LimitExceededError(`a block of ${bytes.byteLength} bytes is larger than ${maxReadBlockBytes}`, { cid })
    }

    this.bytes = bytes
    this.#end = bytes.byteLength
    this.#cid = cid
  }

  /** Bytes that are still to be read. */
  get left (): number {
    return this.#end - this.position
  }

  /** Reads something of at most so many bytes: what is longer is refused where it passes them, not after it was read. */
  within <T> (maxBytes: number, what: string, read: () => T): T {
    if (maxBytes >= this.left) {
      return read()
    }

    const [end, endReason] = [this.#end, this.#endReason]
    this.#end = this.position + maxBytes
    this.#endReason = `${what} is longer than ${maxBytes} bytes`
    const value = read()
    this.#end = end
    this.#endReason = endReason

    return value
  }

  fail (reason: string): never {
    throw new InvalidNodeError(`${reason}, at byte ${this.position}`, { cid: this.#cid })
  }

  /** The major type of the next item, which stays unread. */
  peek (): number {
    return this.left === 0 ? this.fail(this.#endReason) : this.bytes[this.position] >> 5
  }

  isAtEnd (): boolean {
    return this.position === this.bytes.byteLength
  }

  end (): void {
    if (!this.isAtEnd()) {
      this.fail('bytes follow the node')
    }
  }

  /** Reads the head of an item: returns its argument, and leaves its major type in `#major`. */
  #head (): number {
    const { bytes, position } = this

    if (position === this.#end) {
      this.fail(this.#endReason)
    }

    const initial = bytes[position]
    this.#major = initial >> 5
    const info = initial & 31

    if (info < 24) {
      this.position++
      return info
    }

    if (info > 27) {
      this.fail('indefinite lengths and reserved heads are not canonical')
    }

    const width = 2 ** (info - 24)

    if (position + width >= this.#end) {
      this.fail(this.#endReason)
    }

    let argument = 0

    for (let i = 1; i <= width; i++) {
      argument = argument * 256 + bytes[position + i]
    }

    if (argument < (width === 1 ? 24 : 2 ** (width * 4))) {
      this.fail('an integer or length is not in its shortest form')
    }

    if (argument > Number.MAX_SAFE_INTEGER) {
      this.fail('an integer or length is beyond 2^53-1')
    }

    this.position += width + 1

    return argument
  }

  #expect (type: number, what: string): number {
    const start = this.position
    const argument = this.#head()

    if (this.#major !== type) {
      this.position = start
      this.fail(`expected ${what}`)
    }

    return argument
  }

  unsigned (what: string): number {
    return this.#expect(major.unsigned, what)
  }

  integer (what: string): number {
    if (this.peek() !== major.negative) {
      return this.unsigned(what)
    }

    const value = -1 - this.#head()

    return Number.isSafeInteger(value) ? value : this.fail('an integer is beyond 2^53-1')
  }

  list (what: string): number {
    return this.#count(major.list, what)
  }

  map (what: string): number {
    return this.#count(major.map, what)
  }

  // a claimed count is believed only as far as the bytes that are left could hold it
  #count (type: number, what: string): number {
    const count = this.#expect(type, what)

    if (count > maxItems || count > this.left) {
      this.fail(`${what} claims ${count} items`)
    }

    return count
  }

  byteString (what: string): Uint8Array {
    return this.#take(this.#expect(major.bytes, what))
  }

  /** The UTF-8 bytes of a string, which `decodeText` reads. */
  textBytes (what: string): Uint8Array {
    return this.#take(this.#expect(major.text, what))
  }

  text (what: string): string {
    const start = this.#skip(this.#expect(major.text, what))

    return asciiText(this.bytes, start, this.position) ?? this.decodeText(this.bytes.subarray(start, this.position))
  }

  decodeText (bytes: Uint8Array): string {
    try {
      return utf8.decode(bytes)
    } catch {
      return this.fail('a string is not UTF-8')
    }
  }

  boolean (): boolean {
    const value = this.#expect(major.simple, 'a boolean')

    return value === 20 || value === 21 ? value === 21 : this.fail('null, undefined and floats are not allowed')
  }

  link (what: string): CID {
    const cid = readCid(this.linkBytes(what))

    return cid ?? this.fail('a link must be a CIDv1 of a raw or dag-cbor block with sha2-256')
  }

  /** The bytes of the CID of a link. */
  linkBytes (what: string): Uint8Array {
    if (this.#expect(major.tag, what) !== linkTag) {
      this.fail('only tag 42 is allowed')
    }

    const bytes = this.byteString(what)

    return bytes[0] === 0 ? bytes.subarray(1) : this.fail('the bytes of a link must begin with a zero')
  }

  /** Moves behind an item of nine bytes; returns the eight behind its initial one. */
  eightBytes (): DataView {
    const start = this.#skip(9)

    return new DataView(this.bytes.buffer, this.bytes.byteOffset + start + 1, 8)
  }

  #take (length: number): Uint8Array {
    const start = this.#skip(length)

    return this.bytes.subarray(start, this.position)
  }

  /** Moves behind so many bytes; returns where they start. */
  #skip (length: number): number {
    const start = this.position
    const end = start + length

    if (end > this.#end) {
      this.fail(this.#endReason)
    }

    this.position = end

    return start
  }
}

/** A short string of ASCII alone, which most names are: a call of TextDecoder costs more than all the rest of an entry. */
function asciiText (bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > maxAsciiBytes) {
    return
  }

  let text = ''

  for (let i = start; i < end; i++) {
    if (bytes[i] > 0x7f) {
      return
    }

    text += String.fromCharCode(bytes[i])
  }

  return text
}

/** Orders byte strings as unsigned bytes, a prefix first. */
export function compareBytes (a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.byteLength, b.byteLength)

  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) {
      return a[i] - b[i]
    }
  }

  return a.byteLength - b.byteLength
}
