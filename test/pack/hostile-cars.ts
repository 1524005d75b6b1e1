import { concat } from '../../src/bytes.ts'
import { below } from '../seed.ts'
import { carSections, pieces } from './cars.ts'
import type { TestBlock } from './stores.ts'

export interface HostileCar {
  car(): AsyncIterable<Uint8Array>
  /** The blocks that stand in it as they are, by their index */
  readonly intact: ReadonlySet<number>
  /** Whether it is a CAR at all, though its blocks may be others than their CIDs say */
  readonly isWhole: boolean
}

// what lengths may be claimed: more than a block may have, more than there is, and numbers that are none
const claims: readonly Uint8Array[] = [
  varint(2 ** 21 + 2_000), varint(2 ** 32), varint(Number.MAX_SAFE_INTEGER), new Uint8Array(10).fill(255), Uint8Array.of(0x80, 0x00), Uint8Array.of(0), Uint8Array.of(5)
]

/** A CAR with one thing in it that is wrong. */
export function hostileCar (put: readonly TestBlock[], next: () => number): HostileCar {
  const [header, ...sections] = carSections(put)
  const at = below(next, sections.length)
  const all = new Set(put.keys())
  const before = new Set([...all].filter(i => i < at))
  const pieceLength = [1, 7, 1_000, 2 ** 16][below(next, 4)]
  const made = (bytes: Uint8Array, intact: ReadonlySet<number>, isWhole: boolean): HostileCar => ({ car: () => pieces(bytes, pieceLength), intact, isWhole })

  switch (below(next, 6)) {
    case 0: {
      // a block that is not what its CID says
      const lying = sections[at].slice()
      lying[lying.byteLength - 1 - below(next, 400)] ^= 1 << below(next, 8)
      return made(concat([header, ...sections.with(at, lying)]), new Set([...all].filter(i => i !== at)), true)
    }
    case 1: {
      const cut = 1 + below(next, sections[at].byteLength - 1)
      return made(concat([header, ...sections.slice(0, at), sections[at].subarray(0, cut)]), before, false)
    }
    case 2: {
      const claim = claims[below(next, claims.length)]
      return made(concat([header, ...sections.slice(0, at), claim, sections[at].subarray(2), ...sections.slice(at + 1)]), before, false)
    }
    case 3:
      // a header larger than any, of bytes that never come or never end
      return { car: () => endless(concat([[varint(2 ** 40), claims[3], claims[4]][below(next, 3)], header])), intact: new Set(), isWhole: false }
    case 4:
      return { car: () => endless(concat([header, ...sections.slice(0, at), claims[below(next, 4)]])), intact: before, isWhole: false }
    default: {
      // a hash that the store does not know
      const foreign = sections[at].slice()
      foreign[4] = 0x13
      return made(concat([header, ...sections.slice(0, at), foreign]), before, false)
    }
  }
}

/** Goes on for ever: whoever reads it has to stop. */
async function * endless (start: Uint8Array): AsyncGenerator<Uint8Array> {
  yield start

  for (;;) {
    yield new Uint8Array(2 ** 16).fill(0x55)
  }
}

function varint (value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value

  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    bytes.push(rest % 0x80 | 0x80)
  }

  return Uint8Array.from([...bytes, rest])
}
