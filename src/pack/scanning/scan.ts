import { pace } from '../../pace.ts'
import { FileWindow } from '../files/file-window.ts'
import { beginningBytes } from '../format/record.ts'
import { endOf, maxHeadBytes, readHead } from '../format/section.ts'
import { headWindowBytes, SectionSearch } from './section-search.ts'
import type { AbortOptions } from '../../options.ts'
import type { OpenFile } from '../files/files.ts'
import type { Section } from '../format/section.ts'

/** What stands in a part of a segment: a section, or bytes that are none. */
export type ScanItem =
  | { readonly kind: 'section', readonly section: Section, readonly start: Uint8Array, readonly data: Uint8Array | undefined }
  | { readonly kind: 'gap', readonly offset: number, readonly length: number }

export interface ScanOptions extends AbortOptions {
  /** Give the data of every section, which is else skipped where it is long */
  readonly withData?: boolean
  /** Somebody is writing: end before a section that is not there to its end yet, which is else taken for damaged */
  readonly isGrowing?: boolean
}

// as many in a row could be damaged before one of them has a wrong length
const maxTrail = 64

/**
 * Reads the sections between two offsets of a segment, in their order. Bytes that are no section are given as a gap, up
 * to the next section that proves to be one by its hash: damage never hides what stands behind it. A section whose damaged
 * length led past others is given first, and then again as a part of the gap.
 *
 * The arrays that are yielded are views into a buffer that the next step overwrites.
 */
export async function * scan (file: OpenFile, from: number, to: number, { withData = false, isGrowing = false, signal }: ScanOptions = {}): AsyncGenerator<ScanItem[]> {
  const window = new FileWindow(file, to)
  const search = new SectionSearch({ file, from, to, window })
  let position = from
  // where a section is to be given whole, more than a head
  let wanted = headWindowBytes
  // the last sections, which nobody has compared with their hashes
  let trail: Section[] = []

  while (position < to) {
    await pace({ signal })
    const bytes = await window.at(position, wanted)
    const { found, next, needed, isCut } = parse(bytes, position, to, withData)

    if (found.length > 0) {
      trail = [...trail, ...sectionsOf(found.slice(-maxTrail))].slice(-maxTrail)
      yield found
    }

    if (next > position || needed > wanted) {
      position = next
      wanted = Math.max(needed, headWindowBytes)
    } else if (isCut && isGrowing) {
      return
    } else {
      const start = await firstDamaged(search, trail, position, { signal }) ?? position
      const end = await search.find(start + 1, { signal })
      yield [{ kind: 'gap', offset: start, length: end - start }]
      // what stands before is looked at no more
      trail = []
      position = end
      wanted = headWindowBytes
    }
  }
}

/** Sections whose keys are no views into the window */
function sectionsOf (found: readonly ScanItem[]): Section[] {
  return found.flatMap(each => each.kind === 'section' ? [{ ...each.section, key: each.section.key.slice() }] : [])
}

/**
 * Where nothing begins that was to begin, a damaged length may have led past what stands there. Returns the offset of the
 * first of the last sections that are not what their CIDs name.
 */
async function firstDamaged (search: SectionSearch, trail: readonly Section[], reached: number, options: AbortOptions): Promise<number | undefined> {
  let offset: number | undefined

  for (const section of trail.toReversed()) {
    if (await search.isWhole(section, reached, options) !== false) {
      break
    }

    offset = section.offset
  }

  return offset
}

interface Parsed {
  readonly found: ScanItem[]
  /** Where the next window begins */
  readonly next: number
  /** How large a window must be to hold the section at `next` */
  readonly needed: number
  /** Whether a section begins at `next` that has no end */
  readonly isCut: boolean
}

function parse (bytes: Uint8Array, base: number, to: number, withData: boolean): Parsed {
  const found: ScanItem[] = []
  const reachesEnd = base + bytes.byteLength >= to || bytes.byteLength < headWindowBytes
  // a head needs its whole length in the window, but for the last ones
  const lastStart = reachesEnd ? bytes.byteLength - 1 : bytes.byteLength - headWindowBytes
  let at = 0

  while (at <= lastStart) {
    const section = readHead(bytes, at, base)

    if (section === undefined || endOf(section) > to) {
      return { found, next: base + at, needed: 0, isCut: section !== undefined || isCutHead(bytes, at, base, to) }
    }

    const [dataAt, end] = [section.dataOffset - base, endOf(section) - base]
    const isWhole = end <= bytes.byteLength

    if (withData && !isWhole) {
      return { found, next: base + at, needed: end - at, isCut: false }
    }

    found.push({ kind: 'section', section, start: bytes.subarray(dataAt, Math.min(end, dataAt + beginningBytes)), data: isWhole ? bytes.subarray(dataAt, end) : undefined })
    at = end
  }

  return { found, next: base + at, needed: 0, isCut: false }
}

/** Whether the bytes end before a head could */
function isCutHead (bytes: Uint8Array, at: number, base: number, to: number): boolean {
  return base + bytes.byteLength >= to && bytes.byteLength - at < maxHeadBytes
}
