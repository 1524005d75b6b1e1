import { fromHex } from 'multiformats/bytes'
import { below } from '../seed.ts'
import { readBytes, vectors } from '../vectors/notation.ts'
import { mutate } from './mutate.ts'
import type { Kind } from './dag-cbor-twin.ts'

interface Fixture {
  readonly kind: Kind
  readonly bytes: Uint8Array
}

const maxFixtureBytes = 1500

/** Valid blocks and blocks with one fault, out of the vectors. */
export const fixtures: readonly Fixture[] = [
  ...vectors.entries.map(({ hex = '' }) => ({ kind: 'directory' as const, bytes: fromHex(hex) })),
  ...vectors.snapshots.map(({ hex = '' }) => ({ kind: 'snapshot' as const, bytes: fromHex(hex) })),
  ...vectors.roots.map(({ hex }) => ({ kind: 'root' as const, bytes: fromHex(hex) })),
  ...vectors.files.flatMap(({ indexes }) => indexes.slice(-1).map(({ hex = '' }) => ({ kind: 'index' as const, bytes: fromHex(hex) }))),
  ...vectors.invalid.filter(({ pieces }) => pieces === undefined).map(vector => ({ kind: vector.kind, bytes: readBytes(vector) }))
].filter(({ bytes }) => bytes.byteLength > 0 && bytes.byteLength <= maxFixtureBytes)

const others = fixtures.map(({ bytes }) => bytes)

/** One of the fixtures, damaged. */
export function mutatedFixture (next: () => number): Fixture {
  const { kind, bytes } = fixtures[below(next, fixtures.length)]

  return { kind, bytes: mutate(bytes, others, next) }
}
