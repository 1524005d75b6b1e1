import fc from 'fast-check'
import { dagCborCode, rawCode } from '../../src/codec/index.ts'
import { compareNames, nameFault } from '../../src/path.ts'
import { anyCid } from './refusal.ts'
import type { Attributes, Branch, Entry, Layout, Meta, MetaValue, Part, Snapshot, Time } from '../../src/codec/index.ts'
import type { CID } from 'multiformats/cid'

/** Links to 32 nodes. */
export const nodeLinks = Array.from({ length: 32 }, (_, i) => anyCid(dagCborCode, i + 1))

const nodeLink = fc.constantFrom(...nodeLinks)
const rawLink = fc.nat(255).map(number => anyCid(rawCode, number))
const size = fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1), fc.maxSafeNat().map(n => Math.floor(n / 2 ** 14)))
const utf8Bytes = (text: string): number => new TextEncoder().encode(text).byteLength

/** Any text, with the characters that names and orders trip over. */
const anyText = (maxLength: number): fc.Arbitrary<string> => fc.oneof(
  fc.string({ unit: 'binary', maxLength }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '_', '~', '\u00e9', 'e\u0301', '\uff5e', '\u{1f600}', '\ufeff', '\ue000', '\u2028', '__proto__', '10', '\u0001'), maxLength })
)

export const name = anyText(40).filter(text => nameFault(text) === undefined)
const plainText = anyText(20).filter(text => !text.startsWith('\ufeff'))
const target = anyText(60).filter(text => text !== '' && !text.includes('\0'))

export const time: fc.Arbitrary<Time> = fc.tuple(fc.oneof(fc.maxSafeInteger(), fc.integer()), fc.nat(999_999_999))

const metaLeaf: fc.Arbitrary<MetaValue> = fc.oneof(plainText, fc.maxSafeInteger(), fc.boolean(), fc.uint8Array({ maxLength: 40 }))

export const meta: fc.Arbitrary<Meta> = fc.letrec<{ value: MetaValue, map: Meta }>(tie => ({
  value: fc.oneof({ maxDepth: 5 }, metaLeaf, fc.array(tie('value'), { maxLength: 4 }), tie('map')),
  map: fc.dictionary(plainText, tie('value'), { maxKeys: 4 })
})).map.filter(map => Object.keys(map).length > 0)

export const attributes: fc.Arbitrary<Attributes> = fc.record({ meta, mode: fc.nat(0o7777), mtime: time }, { requiredKeys: [] })
  .filter(value => Object.keys(value).length > 0)

const fileContent = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map(content => ({ content, size: content.byteLength })),
  fc.record({ content: rawLink, size: size.map(n => n + 1) }),
  fc.record({ content: nodeLink, size: size.map(n => n + 2) })
)

const optional = <T> (arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })

const file = fc.tuple(name, fileContent, optional(attributes)).map(([name, content, attributes]): Entry => ({ name, kind: 'file', ...content, ...(attributes && { attributes }) }))
const directory = fc.tuple(name, nodeLink, size, optional(attributes)).map(([name, content, size, attributes]): Entry => ({ name, kind: 'directory', content, size, ...(attributes && { attributes }) }))
const symlink = fc.tuple(name, target, optional(fc.record({ mtime: time })))
  .map(([name, content, attributes]): Entry => ({ name, kind: 'symlink', content, size: utf8Bytes(content), ...(attributes && { attributes }) }))

export const entry: fc.Arbitrary<Entry> = fc.oneof(file, directory, symlink)

/** Entries of a leaf, in order. */
export const entries: fc.Arbitrary<Entry[]> = fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 12 })
  .map(list => list.sort((a, b) => compareNames(a.name, b.name)))

/** Branches of a node, in order. */
export const branches: fc.Arbitrary<Branch[]> = fc.uniqueArray(
  fc.record({ first: name, link: nodeLink, count: size.map(n => n + 1), size }),
  { selector: ({ first }) => first, minLength: 1, maxLength: 12 }
).map(list => list.sort((a, b) => compareNames(a.first, b.first)))

const partsOver = (link: fc.Arbitrary<CID>): fc.Arbitrary<Part[]> => fc.array(fc.record({ length: size.map(n => n + 1), link }), { minLength: 1, maxLength: 20 })

export const parts = fc.oneof(partsOver(rawLink), partsOver(nodeLink))

const layout: fc.Arbitrary<Layout> = fc.record({ width: fc.integer({ min: 2, max: 1024 }), chunkBytes: fc.integer({ min: 32_768, max: 2 ** 20 }), inlineBytes: fc.nat(32_768) })
  .filter(({ width, chunkBytes, inlineBytes }) => width !== 1024 || chunkBytes !== 2 ** 20 || inlineBytes !== 2048)

export const snapshot: fc.Arbitrary<Snapshot> = fc.tuple(
  fc.uniqueArray(nodeLink, { maxLength: 16, selector: String }),
  fc.maxSafeNat(),
  fc.record({ tree: nodeLink, time, attributes, layout, message: plainText.filter(text => text !== ''), meta }, { requiredKeys: ['tree'] })
).map(([parents, height, others]) => ({ ...others, parents, generation: parents.length === 0 ? 0 : Math.max(1, height) }))
