import { pace } from '../pace.ts'
import { isIntact } from './record.ts'
import { endOf, maxHeadBytes, multihashBytes, readHead } from './section.ts'
import type { OpenFile } from './files.ts'
import type { Section } from './section.ts'
import type { AbortOptions } from '../options.ts'

// a head may stand every few bytes of what was made to look like sections, and claim to be as long as a block can be
const firstHashedBytes = 2 ** 23
const hashedForByte = 4
// what a read takes besides, as long as hashing so much
const readCostBytes = 2 ** 16

/**
 * Finds the first section at or behind an offset whose bytes are those that its CID names, by looking for the beginning
 * of a multihash. Answers `to` where there is none.
 *
 * The time that it takes grows as the bytes do, whatever they are: where bytes were made to look like many long sections, not all
 * of them are compared with their hashes, and a block behind such bytes may be passed over.
 */
export async function findSection (file: OpenFile, from: number, to: number, { signal }: AbortOptions): Promise<number> {
  const window = Buffer.allocUnsafeSlow(2 ** 20)
  let hashedBytes = 0

  for (let position = from; position < to; position += window.byteLength - maxHeadBytes) {
    await pace({ signal })
    const length = await file.read(window.subarray(0, Math.min(window.byteLength, to - position)), position)
    const bytes = window.subarray(0, length)

    for (let hit = window.indexOf('\x12\x20', 0, 'latin1'); hit >= 0 && hit < length; hit = window.indexOf('\x12\x20', hit + 1, 'latin1')) {
      const allowedBytes = firstHashedBytes + hashedForByte * (position + hit - from)

      for (const section of sectionsAround(bytes, hit, position)) {
        const cost = section.dataLength + readCostBytes

        if (endOf(section) > to || hashedBytes + cost > allowedBytes) {
          continue
        }

        await pace({ signal })
        hashedBytes += cost

        if (await isWhole(file, section)) {
          return section.offset
        }
      }
    }
  }

  return to
}

/**
 * A multihash begins at `hit`: before it stand the length, the version and the codec. What ends before a section may be read as
 * the beginning of its length, so that there are several to choose from.
 */
function * sectionsAround (bytes: Uint8Array, hit: number, base: number): Generator<Section> {
  for (let at = Math.max(0, hit - maxHeadBytes + multihashBytes); at < hit - 2; at++) {
    const section = readHead(bytes, at, base)

    if (section?.dataOffset === base + hit + multihashBytes) {
      yield section
    }
  }
}

export async function isWhole (file: OpenFile, { key, dataOffset, dataLength }: Section): Promise<boolean> {
  const data = new Uint8Array(dataLength)

  return await file.read(data, dataOffset) === dataLength && isIntact(key, data)
}
