import { pace } from '../pace.ts'
import { isIntact } from './record.ts'
import { endOf, maxHeadBytes, readHead } from './section.ts'
import type { OpenFile } from './files.ts'
import type { Section } from './section.ts'
import type { AbortOptions } from '../options.ts'

/** What stands in a part of a segment: a section, or bytes that are none. */
export type Found =
  | { readonly kind: 'section', readonly section: Section, readonly start: Uint8Array, readonly data: Uint8Array | undefined }
  | { readonly kind: 'gap', readonly offset: number, readonly length: number }

export interface ScanOptions extends AbortOptions {
  /** Bytes read at once, 1 MiB by default */
  readonly windowBytes?: number
  /** Give the data of every section, which is else skipped where it is long */
  readonly withData?: boolean
}

// as many in a row could be damaged before one of them has a wrong length
const maxTrail = 64

// what is needed of the data to tell a record by its beginning
const startBytes = 16

/**
 * Reads the sections between two offsets of a segment, in their order. Bytes that are no section are given as a gap, up
 * to the next section that proves to be one by its hash: damage never hides what stands behind it. A section whose damaged
 * length led past others is given first, and then again as a part of the gap.
 *
 * The arrays that are yielded are views into a buffer that the next step overwrites.
 */
export async function * scan (file: OpenFile, from: number, to: number, { withData = false, windowBytes = 2 ** 20, signal }: ScanOptions = {}): AsyncGenerator<Found[]> {
  // not a Buffer, whose slice() would not copy what is kept of it
  let window = new Uint8Array(Math.max(0, Math.min(windowBytes, to - from)))
  let position = from
  // the last sections, which nobody has compared with their hashes
  let trail: Section[] = []

  while (position < to) {
    await pace({ signal })
    const length = await file.read(window.subarray(0, Math.min(window.byteLength, to - position)), position)
    const bytes = window.subarray(0, length)
    const { found, next, needed } = parse(bytes, position, to, withData)

    if (found.length > 0) {
      trail = [...trail, ...sectionsOf(found.slice(-maxTrail))].slice(-maxTrail)
      yield found
    }

    if (next > position) {
      position = next
    } else if (needed > window.byteLength && position + needed <= to) {
      window = new Uint8Array(needed)
    } else {
      const start = await firstDamaged(file, trail) ?? position
      const end = await findSection(file, start + 1, to, { signal })
      yield [{ kind: 'gap', offset: start, length: end - start }]
      trail = []
      position = end
    }
  }
}

/** Sections whose keys are no views into the window */
function sectionsOf (found: readonly Found[]): Section[] {
  return found.flatMap(each => each.kind === 'section' ? [{ ...each.section, key: each.section.key.slice() }] : [])
}

/**
 * Where nothing begins that was to begin, a damaged length may have led past what stands there. Answers the offset of the
 * first of the last sections that are not what their CIDs name.
 */
async function firstDamaged (file: OpenFile, trail: readonly Section[]): Promise<number | undefined> {
  let offset: number | undefined

  for (const section of trail.toReversed()) {
    if (await isWhole(file, section)) {
      break
    }

    offset = section.offset
  }

  return offset
}

async function isWhole (file: OpenFile, { key, dataOffset, dataLength }: Section): Promise<boolean> {
  const data = new Uint8Array(dataLength)

  return await file.read(data, dataOffset) === dataLength && isIntact(key, data)
}

interface Parsed {
  readonly found: Found[]
  /** Where the next window begins */
  readonly next: number
  /** How large a window must be to hold the section at `next` */
  readonly needed: number
}

function parse (bytes: Uint8Array, base: number, to: number, withData: boolean): Parsed {
  const found: Found[] = []
  const reachesEnd = base + bytes.byteLength >= to || bytes.byteLength < maxHeadBytes + startBytes
  // a head needs its whole length in the window, but for the last ones
  const lastStart = reachesEnd ? bytes.byteLength - 1 : bytes.byteLength - maxHeadBytes - startBytes
  let at = 0

  while (at <= lastStart) {
    const section = readHead(bytes, at, base)

    if (section === undefined || endOf(section) > to) {
      return { found, next: base + at, needed: 0 }
    }

    const [dataAt, end] = [section.dataOffset - base, endOf(section) - base]
    const isWhole = end <= bytes.byteLength

    if (withData && !isWhole) {
      return { found, next: base + at, needed: end - at }
    }

    found.push({ kind: 'section', section, start: bytes.subarray(dataAt, Math.min(end, dataAt + startBytes)), data: isWhole ? bytes.subarray(dataAt, end) : undefined })
    at = end
  }

  return { found, next: base + at, needed: 0 }
}

/**
 * Finds the first section at or behind an offset whose bytes are those that its CID names, by looking for the beginning
 * of a multihash. Answers `to` where there is none.
 */
async function findSection (file: OpenFile, from: number, to: number, { signal }: AbortOptions): Promise<number> {
  const window = Buffer.allocUnsafeSlow(2 ** 20)

  for (let position = from; position < to; position += window.byteLength - maxHeadBytes) {
    await pace({ signal })
    const length = await file.read(window.subarray(0, Math.min(window.byteLength, to - position)), position)

    for (let hit = window.indexOf('\x12\x20', 0, 'latin1'); hit >= 0 && hit < length; hit = window.indexOf('\x12\x20', hit + 1, 'latin1')) {
      const offset = await sectionAround(file, window.subarray(0, length), hit, position, to)

      if (offset !== undefined) {
        return offset
      }
    }
  }

  return to
}

/** A multihash begins at `hit`; before it stand the length, the version and the codec. */
async function sectionAround (file: OpenFile, bytes: Uint8Array, hit: number, base: number, to: number): Promise<number | undefined> {
  for (let at = Math.max(0, hit - maxHeadBytes + 34); at < hit - 2; at++) {
    const section = readHead(bytes, at, base)

    if (section === undefined || section.dataOffset !== base + hit + 34 || endOf(section) > to) {
      continue
    }

    if (await isWhole(file, section)) {
      return section.offset
    }
  }

  return undefined
}
