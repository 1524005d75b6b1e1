import * as dagCbor from '@ipld/dag-cbor'
import fc from 'fast-check'
import { dagCborCode, rawCode } from '../../src/codec/index.ts'
import { anyCid } from './refusal.ts'
import type { Kind } from './dag-cbor-twin.ts'

/** A block of canonical dag-cbor that has the shape of a node, with values at and beyond what the format allows. */
export interface NearlyValid {
  readonly kind: Kind
  readonly bytes: Uint8Array
}

const raw = anyCid(rawCode, 1)
const node = anyCid(dagCborCode, 2)
const max = Number.MAX_SAFE_INTEGER

/** Mostly a value of the first kind, now and then one of the others. */
function mostly <T> (usual: fc.Arbitrary<T>, ...rare: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...rare) })
}

/** A record of which each key may be missing, now and then with a key too many. */
function map (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 10, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.record({ ...fields, other: fc.constant(1) }, { requiredKeys: ['other'] }) }
  )
}

/** Lists with these items, now and then with one too few or too many. */
function tuple (...items: Array<fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.tuple(...items) },
    { weight: 1, arbitrary: fc.tuple(...items.slice(1)) },
    { weight: 1, arbitrary: fc.tuple(...items, fc.constant(0)) }
  )
}

const count = mostly(fc.nat(40), 0, -1, max, max - 1, 'x', true, null)
const name = mostly(fc.constantFrom('a', 'b', 'c', 'd', 'e', '\uff5e', '\u{1f600}', '10', '9', '...', 'n'.repeat(255)), '', '.', '..', 'a/b', 'a\0', 'n'.repeat(256), 7, null)
const time = mostly(tuple(fc.constantFrom(0, -1, 1, max, -max), fc.constantFrom(0, 999_999_999, 1_000_000_000, -1)), [], 0, null)
const metaValue = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 9, depthSize: 'max' },
    mostly(fc.constantFrom('', 'text', 0, -1, max, -max, true, false, new Uint8Array(2)), null, raw, 0.5),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'bb', '__proto__', '1', ''), tie('value'), { maxKeys: 2 })
  )
})).value
const meta = mostly(fc.dictionary(fc.constantFrom('k', 'l', 'key'), metaValue, { minKeys: 1, maxKeys: 2 }), {}, [], 'm', { k: new Uint8Array(4091) }, { k: new Uint8Array(4090) })
const attributes = mostly(map({ meta, mode: mostly(fc.nat(0o7777), 0o10000, -1, 'm'), mtime: time }), {}, [], 0)

const content = fc.oneof(
  fc.constantFrom(0, 1, 3, 40).map(size => ['f', new Uint8Array(size), size]),
  fc.constantFrom(1, 2, 40, max).map(size => ['f', raw, size]),
  fc.constantFrom(1, 2, 40, max).map(size => ['f', node, size]),
  fc.constantFrom(0, 1, 40, max).map(size => ['d', node, size]),
  fc.constantFrom('t', '..', '/t', '\u00e9').map(target => ['l', target, new TextEncoder().encode(target).byteLength]),
  fc.tuple(fc.constantFrom('f', 'd', 'l', 'x', ''), fc.constantFrom(raw, node, 't', '', new Uint8Array(1), 'x'.repeat(4097)), fc.constantFrom(0, 1, 2, 4097))
)
const entry = fc.tuple(name, content, fc.option(attributes, { nil: undefined, freq: 2 }))
  .map(([first, rest, last]) => last === undefined ? [first, ...rest] : [first, ...rest, last])

const branch = tuple(name, mostly(fc.constant(node), raw, 'x'), count, count)
const part = tuple(count, mostly(fc.constant(raw), node, 'x'))
const layout = map({ width: fc.constantFrom(1, 2, 1024, 1025), chunkBytes: fc.constantFrom(0, 1, 2 ** 20, 2 ** 20 + 1), inlineBytes: fc.constantFrom(-1, 0, 1, 2048, 32_768, 32_769) })
const snapshot = fc.tuple(
  fc.record({ tree: mostly(fc.constant(node), raw, 'x') }, { requiredKeys: [] }),
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom({ parents: [], generation: 0 }, { parents: [node], generation: 1 }, { parents: [node, anyCid(dagCborCode)], generation: 7 }) },
    fc.constantFrom({}, { parents: [] }, { generation: 0 }, { parents: [node, node], generation: 1 }, { parents: [raw], generation: 1 }, { parents: [node], generation: 0 }, { parents: [], generation: 3 })
  ),
  map({ meta, time, layout, message: mostly(fc.constantFrom('m', 'two\nlines'), '', 0), attributes })
).map(fields => ({ snapshot: Object.assign({}, ...fields) }))

function sorted (items: fc.Arbitrary<unknown>, maxLength: number): fc.Arbitrary<unknown[]> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.uniqueArray(items, { maxLength, selector: item => String((item as unknown[])[0]) }).map(list => list.sort((a, b) => compareFirst(a, b))) },
    { weight: 1, arbitrary: fc.array(items, { maxLength }) }
  )
}

function compareFirst (a: unknown, b: unknown): number {
  const [first, second] = [a, b].map(item => [...String((item as unknown[])[0])].map(letter => letter.codePointAt(0) ?? 0))
  const index = first.findIndex((point, i) => point !== second[i])

  return index === -1 ? first.length - second.length : first[index] - (second[index] ?? -1)
}

export const nearlyValid: fc.Arbitrary<NearlyValid> = fc.oneof(
  { weight: 4, arbitrary: sorted(entry, 3).map(dir => ({ kind: 'directory' as const, value: { dir } })) },
  { weight: 2, arbitrary: tuple(mostly(fc.integer({ min: 1, max: 15 }), 0, 16, 'x'), sorted(branch, 3)).map(dirs => ({ kind: 'directory' as const, value: { dirs } })) },
  { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }).map(value => ({ kind: 'index' as const, value })) },
  { weight: 3, arbitrary: snapshot.map(value => ({ kind: 'snapshot' as const, value })) }
).map(({ kind, value }) => ({ kind, bytes: dagCbor.encode(value) }))
