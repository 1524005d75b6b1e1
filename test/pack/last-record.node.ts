import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { concat } from '../../src/bytes.ts'
import { encodeCommit } from '../../src/pack/format/record.ts'
import { keyOf, readHead } from '../../src/pack/format/section.ts'
import { encodeSegmentHead, recordSection } from '../../src/pack/format/segment-head.ts'
import { RangeDigest } from '../../src/pack/scanning/range-digest.ts'
import { lastRecord } from '../../src/pack/scanning/recover.ts'
import { carSections } from './cars.ts'
import { FaultyFiles } from './faulty-files.ts'
import { blocks } from './stores.ts'

const store = new Uint8Array(16)
const id = Uint8Array.from({ length: 16 }, (_, i) => i)

interface Written {
  readonly from: number
  readonly end: number
  readonly sequence: number
  readonly durable: number
  readonly isWhole: boolean
}

interface Plan {
  /** How far behind it stands what the record says was on the disk */
  readonly since: number
  /** Records that are missing before it */
  readonly skipped: number
  readonly isDamaged: boolean
  /** Whether its range begins where the record before ended */
  readonly isNext: boolean
}

const plan: fc.Arbitrary<Plan> = fc.record({
  since: fc.nat({ max: 8 }),
  skipped: fc.constantFrom(0, 0, 0, 0, 1),
  isDamaged: fc.constantFrom(false, false, false, true),
  isNext: fc.constantFrom(true, true, true, true, true, false)
})

/** A segment with a block and a record for each plan */
async function segmentOf (plans: readonly Plan[]): Promise<{ bytes: Uint8Array, written: Written[] }> {
  const put = await blocks(plans.length, 50)
  const [, ...sections] = carSections(put)
  const head = await encodeSegmentHead({ store, segment: 1, id })
  const written: Written[] = []
  let bytes = head
  let sequence = -1
  let record = new Uint8Array(0)

  for (const [i, { since, skipped, isDamaged, isNext }] of plans.entries()) {
    const digest = new RangeDigest()
    let from = bytes.byteLength

    if (i === 0) {
      from = 0
      digest.add(head)
    } else if (!isNext) {
      // the record before is a block of this range
      from -= record.byteLength
      digest.addSection(readHead(record, 0, 0)?.key ?? new Uint8Array(0), readHead(record, 0, 0)?.dataLength ?? 0)
    }

    digest.addSection(keyOf(put[i].cid), put[i].bytes.byteLength)
    const to = bytes.byteLength + sections[i].byteLength
    sequence += 1 + skipped
    const durable = Math.max(0, sequence - since)
    record = Uint8Array.from(await recordSection(encodeCommit({ store, id, sequence, durable, segment: 1, from, to, digest: digest.digest(), previous: undefined, roots: new Map(), segments: [1], removed: [] })))
    bytes = concat([bytes, sections[i], record])
    written.push({ from, end: bytes.byteLength, sequence, durable, isWhole: !isDamaged })

    if (isDamaged) {
      bytes[to - 1] ^= 1
    }
  }

  return { bytes, written }
}

/** The definition: looks for each record through all those that it stands on. */
function isSupported (written: readonly Written[], last: number, knownEnd: number): boolean {
  const { durable } = written[last]

  for (let i = last; i >= 0; i--) {
    const { sequence, from, end, isWhole } = written[i]

    if (sequence <= durable || end <= knownEnd) {
      return true
    }

    if (!isWhole) {
      return false
    }

    if (from <= knownEnd || sequence - 1 <= durable) {
      return true
    }

    if (i === 0 || written[i - 1].end !== from) {
      return false
    }
  }

  return false
}

describe('the last record of a segment', () => {
  it('is the last one supported by intact ranges back to a synced one', async () => {
    await fc.assert(fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), fc.nat({ max: 12 }), async (plans, known) => {
      const { bytes, written } = await segmentOf(plans)
      const knownEnd = written[known - 1]?.end ?? 0
      const files = new FaultyFiles()
      files.set('segment', bytes)
      const found = await lastRecord({ file: await files.open('segment', 'read'), store, segment: 1, from: 0, knownEnd }, {})
      const expected = written.findLastIndex((_, i) => isSupported(written, i, knownEnd))

      expect(found?.record.sequence).to.equal(written[expected]?.sequence)
    }), { numRuns: 500 })
  })
})
