import { cidBytes } from './cid.ts'
import { major } from './cursor.ts'
import type { CID } from 'multiformats/cid'

/** The longest head of an item */
export const headBytes = 9
/** A link: its tag, the head of its bytes, the byte 0 before the CID, and the CID */
export const linkBytes = 5 + cidBytes

const linkTag = 42
// room is taken from pages: an allocation for each of many small writers takes longer than to write them
const pageBytes = 65_536
let page = new Uint8Array(0)
const encoder = new TextEncoder()

/**
 * Writes items of canonical dag-cbor one behind the other, into room that has to suffice.
 */
export class Writer {
  readonly #bytes: Uint8Array<ArrayBuffer>
  #end = 0

  constructor (maxBytes: number) {
    if (page.byteLength < maxBytes) {
      page = new Uint8Array(Math.max(pageBytes, maxBytes))
    }

    this.#bytes = page
  }

  /** Writes the head of an item: its major type, and a number in the shortest form. */
  head (type: number, value: number): void {
    const first = type << 5

    if (value < 24) {
      this.#bytes[this.#end++] = first | value
    } else if (value < 0x100) {
      this.#bytes[this.#end++] = first | 24
      this.#bytes[this.#end++] = value
    } else if (value < 0x10000) {
      this.#bytes[this.#end++] = first | 25
      this.#number(value, 2)
    } else if (value < 0x100000000) {
      this.#bytes[this.#end++] = first | 26
      this.#number(value, 4)
    } else {
      this.#bytes[this.#end++] = first | 27
      this.#number(Math.floor(value / 0x100000000), 4)
      this.#number(value % 0x100000000, 4)
    }
  }

  text (text: string): void {
    const start = this.#end
    this.head(major.text, text.length)

    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)

      if (unit >= 0x80) {
        this.#end = start
        this.#encoded(encoder.encode(text))
        return
      }

      this.#bytes[this.#end++] = unit
    }
  }

  #encoded (utf8: Uint8Array): void {
    this.head(major.text, utf8.byteLength)
    this.append(utf8)
  }

  link ({ bytes }: CID): void {
    this.head(major.tag, linkTag)
    this.head(major.bytes, 1 + bytes.byteLength)
    this.#bytes[this.#end++] = 0
    this.append(bytes)
  }

  append (bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.byteLength
  }

  /** Answers what was written, and ends it: one writer at a time is in use. */
  finish (): Uint8Array {
    page = this.#bytes.subarray(this.#end)

    return this.#bytes.subarray(0, this.#end)
  }

  #number (value: number, bytes: number): void {
    for (let shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      this.#bytes[this.#end++] = value >>> shift
    }
  }
}
