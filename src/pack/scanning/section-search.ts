import { pace } from '../../pace.ts'
import { beginningBytes, isIntact } from '../format/record.ts'
import { endOf, maxHeadBytes, multihashBytes, readHead } from '../format/section.ts'
import type { AbortOptions } from '../../options.ts'
import type { FileWindow } from '../files/file-window.ts'
import type { OpenFile } from '../files/files.ts'
import type { Section } from '../format/section.ts'

// a head may stand every few bytes of what was made to look like sections, and claim to be as long as a block can be
const firstHashedBytes = 2 ** 23
const hashedForByte = 4
// what a section takes besides, as long as hashing so much: for a call, and for a read where its data is not in memory
const callCostBytes = 2 ** 11
const readCostBytes = 2 ** 16

/** What is read at once of a head and what stands behind it */
export const headWindowBytes = maxHeadBytes + beginningBytes

/** The part of a segment that a scan goes through */
export interface Searched {
  readonly file: OpenFile
  readonly from: number
  readonly to: number
  readonly window: FileWindow
}

/**
 * Finds sections among bytes that are damaged, for one scan from its beginning to its end.
 *
 * The time that it takes grows as the bytes of the scan do, whatever they are and however often something is searched for: where
 * they were made to look like many long sections, not all of them are compared with their hashes, and a block behind such bytes
 * may be passed over.
 */
export class SectionSearch {
  readonly #searched: Searched
  #hashedBytes = 0
  /** How far the scan has come */
  #reached: number

  constructor (searched: Searched) {
    this.#searched = searched
    this.#reached = searched.from
  }

  /**
   * Finds the first section at or behind an offset whose bytes are those that its CID names, by looking for the beginning
   * of a multihash. Where there is none it returns where the scan ends.
   */
  async find (from: number, options: AbortOptions): Promise<number> {
    const { window, to } = this.#searched

    for (let position = from, end = from; end < to; position = end - maxHeadBytes) {
      const bytes = await window.at(position, headWindowBytes)
      await pace(options)

      for (const hit of multihashesIn(bytes)) {
        await pace(options)

        for (const section of sectionsAround(bytes, hit, position)) {
          if (endOf(section) <= to && await this.isWhole(section, position + hit, options) === true) {
            return section.offset
          }
        }
      }

      // the file may have been cut short meanwhile
      end = bytes.byteLength < headWindowBytes ? to : position + bytes.byteLength
    }

    return to
  }

  /**
   * Says whether a section's bytes are those that its CID names; or nothing, where too much was hashed for as far as the scan
   * has come.
   */
  async isWhole ({ key, dataOffset, dataLength }: Section, reached: number, options: AbortOptions): Promise<boolean | undefined> {
    const { file, from, window } = this.#searched
    const held = window.held(dataOffset, dataLength)
    const cost = dataLength + (held === undefined ? readCostBytes : callCostBytes)
    this.#reached = Math.max(this.#reached, reached)

    if (this.#hashedBytes + cost > firstHashedBytes + hashedForByte * (this.#reached - from)) {
      return undefined
    }

    await pace(options)
    this.#hashedBytes += cost

    if (held !== undefined) {
      return isIntact(key, held.subarray(0, dataLength))
    }

    const data = new Uint8Array(dataLength)

    return await file.read(data, dataOffset) === dataLength && isIntact(key, data)
  }
}

/** Where multihashes of sha2-256 begin, or what looks like it */
function * multihashesIn (bytes: Uint8Array): Generator<number> {
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

  for (let hit = searched.indexOf('\x12\x20', 0, 'latin1'); hit >= 0; hit = searched.indexOf('\x12\x20', hit + 1, 'latin1')) {
    yield hit
  }
}

/**
 * A multihash begins at `hit`: before it stand the length, the version and the codec. What ends before a section may be read as
 * the beginning of its length, so that there are several to choose from. What begins later is some hundred times shorter, and so
 * comes first.
 */
function * sectionsAround (bytes: Uint8Array, hit: number, base: number): Generator<Section> {
  for (let at = hit - 3; at >= Math.max(0, hit - maxHeadBytes + multihashBytes); at--) {
    const section = readHead(bytes, at, base)

    if (section?.dataOffset === base + hit + multihashBytes) {
      yield section
    }
  }
}
