import { garbage } from '@ipld/garbage'
import { SeededRandom } from '../../corpora/keystream.ts'

/**
 * Random values of one kind
 */
export interface Family {
  readonly name: string
  /**
   * How large one may grow, as `@ipld/garbage` counts
   */
  readonly size: number
  readonly weights: NonNullable<NonNullable<Parameters<typeof garbage>[1]>['weights']>
}

/**
 * What the document has for each family: `@ipld/dag-cbor` on cborg in percent of that on borc
 */
export const published: Readonly<Record<string, { readonly encode: number, readonly decode: number }>> = {
  'rnd-100': { encode: 126.4, decode: 110.1 },
  'rnd-300': { encode: 149, decode: 91.7 },
  'rnd-nomap-300': { encode: 177.6, decode: 106.4 },
  'rnd-nofloat-300': { encode: 155.8, decode: 104.6 },
  'rnd-nostr-300': { encode: 165.2, decode: 98.3 },
  'rnd-nostrbyts-300': { encode: 197.5, decode: 95.3 },
  'rnd-1000': { encode: 193.4, decode: 94.8 },
  'rnd-2000': { encode: 238.1, decode: 99.1 },
  'rnd-fil-100': { encode: 152.1, decode: 106.4 },
  'rnd-fil-300': { encode: 176.8, decode: 106.8 },
  'rnd-fil-500': { encode: 184.2, decode: 102.9 },
  'rnd-fil-1000': { encode: 219.3, decode: 103.6 },
  'rnd-fil-2000': { encode: 275.1, decode: 102.1 }
}

const RANDOM_BITS = 30

// without weights of its own for the outermost value, the generator gives encodings whose lengths come nearest to the
// document's, although they are somewhat longer; links are left out of all of them, as in cborg's own comparison: the bare
// libraries have none; directory blocks and the CAR are full of them
const sized = (prefix: string, sizes: readonly number[], weights: Family['weights'] = {}): Family[] => sizes.map(size => ({ name: `${prefix}-${size}`, size, weights: { CID: 0, ...weights } }))

/**
 * The thirteen families of the document, in its order, with the weights of cborg's own comparison, where the names of two
 * seem exchanged: `nostr` leaves bytes out as well, and `nostrbyts` does not
 */
export const families: readonly Family[] = [
  ...sized('rnd', [100, 300]),
  ...sized('rnd-nomap', [300], { map: 0 }),
  ...sized('rnd-nofloat', [300], { float: 0 }),
  ...sized('rnd-nostr', [300], { string: 0, bytes: 0 }),
  ...sized('rnd-nostrbyts', [300], { string: 0 }),
  ...sized('rnd', [1000, 2000]),
  ...sized('rnd-fil', [100, 300, 500, 1000, 2000], { float: 0, map: 0 })
]

const KINDS: Readonly<Record<string, string>> = { map: 'maps', float: 'floats', string: 'strings', bytes: 'bytes' }

/**
 * Says what the names of families mean, each word of them once.
 */
export function sayFamilies (names: readonly string[]): string {
  const without = new Map(families.filter(({ name }) => names.includes(name)).map(({ name, weights }) => [name.split('-').slice(1, -1).join('-'), Object.keys(weights).flatMap(kind => KINDS[kind] ?? [])]))

  return [
    '`rnd` values are random and have no links; the number is how large one may grow, as `@ipld/garbage` counts',
    ...[...without].filter(([word]) => word !== '').map(([word, kinds]) => `\`${word}\`: without ${kinds.join(' and ')}`)
  ].join('; ')
}

/**
 * Makes the values of a family, the same for the same seed everywhere.
 */
export function valuesOf ({ name, size, weights }: Family, count: number, seed: string): unknown[] {
  return withSeed(`${seed}/${name}`, () => Array.from({ length: count }, () => garbage(size, { initialWeights: {}, weights })))
}

/**
 * Runs something that draws from Math.random, with numbers out of a seed.
 */
export function withSeed <T> (seed: string, run: () => T): T {
  const random = new SeededRandom(seed)
  const original = Math.random

  // @ipld/garbage takes no source of randomness, and nothing else runs meanwhile
  Math.random = () => random.below(2 ** RANDOM_BITS) / 2 ** RANDOM_BITS

  try {
    return run()
  } finally {
    Math.random = original
  }
}
