import fc from 'fast-check'
import { blockReader, blockWriter } from '../../src/blockstore/index.ts'
import { writeFile, dagfs1 } from '../../src/file/index.ts'
import { applyEdits } from '../../src/tree/index.ts'
import { CountingStore } from '../stores.ts'
import type { BlockReader, BlockStore } from '../../src/blockstore/index.ts'
import type { Attributes, Block, Entry } from '../../src/codec/index.ts'
import type { FileLayout } from '../../src/file/index.ts'
import type { DirectoryEdit } from '../../src/tree/index.ts'
import type { CID } from 'multiformats/cid'

/** A tree as plain values: files are their text, links begin with `->`. */
export interface PlainFile {
  readonly text: string
  readonly attributes?: Attributes
}

export interface PlainDirectory {
  readonly entries: ReadonlyMap<string, PlainNode>
  readonly attributes?: Attributes
}

export type PlainNode = PlainFile | PlainDirectory

export function isDirectory (node: PlainNode | undefined): node is PlainDirectory {
  return node !== undefined && 'entries' in node
}

type Shorthand = string | { readonly [name: string]: Shorthand }

/** A directory written as an object. */
export function plain (shorthand: { readonly [name: string]: Shorthand }): PlainDirectory {
  return {
    entries: new Map(Object.entries(shorthand).map(([name, value]): [string, PlainNode] => [name, typeof value === 'string' ? { text: value } : plain(value)]))
  }
}

/** A directory as an object again; attributes are left out. */
export function shorthand (directory: PlainDirectory): Record<string, Shorthand> {
  return Object.fromEntries([...directory.entries].map(([name, node]) => [name, isDirectory(node) ? shorthand(node) : node.text]).sort())
}

/**
 * Builds trees on a store.
 */
export class Trees {
  readonly store: BlockStore
  readonly reader: BlockReader
  readonly #layout: FileLayout

  constructor (store: BlockStore = new CountingStore().inner, layout: FileLayout = dagfs1) {
    this.store = store
    this.reader = blockReader(store)
    this.#layout = layout
  }

  /** Stores a tree; answers its root. */
  async build (directory: PlainDirectory): Promise<CID> {
    return this.apply({ base: undefined, changes: await this.#changes(directory) })
  }

  /** Stores what an edit makes; answers the root. */
  async apply (edit: DirectoryEdit): Promise<CID> {
    const edits = applyEdits(this.reader, edit)

    for (;;) {
      const { done, value } = await edits.next()

      if (done === true) {
        return value.cid
      }

      await this.#put(value)
    }
  }

  async #put (block: Block): Promise<void> {
    await blockWriter(this.store).put(block)
  }

  async #changes ({ entries }: PlainDirectory): Promise<Map<string, Entry | DirectoryEdit>> {
    const changes = new Map<string, Entry | DirectoryEdit>()

    for (const [name, node] of entries) {
      const attributes = node.attributes === undefined ? {} : { attributes: node.attributes }
      changes.set(name, isDirectory(node) ? { base: undefined, ...attributes, changes: await this.#changes(node) } : { ...await this.file(name, node.text), ...attributes })
    }

    return changes
  }

  async file (name: string, text: string): Promise<Entry> {
    const bytes = new TextEncoder().encode(text)

    return text.startsWith('->')
      ? { name, kind: 'symlink', content: text, size: bytes.byteLength }
      : { name, kind: 'file', ...await writeFile(async block => this.#put(block), bytes, this.#layout) }
  }
}

const attributes = fc.record({ mode: fc.constantFrom(0o644, 0o755, 0o600), mtime: fc.tuple(fc.nat(3), fc.nat(1)), meta: fc.record({ by: fc.constantFrom('a', 'b') }) }, { requiredKeys: [] })
const linkAttributes = fc.record({ mtime: fc.tuple(fc.nat(3), fc.nat(1)) })

function withAttributes <T extends object> (node: T, given: Attributes | undefined): T & { attributes?: Attributes } {
  return given === undefined || Object.keys(given).length === 0 ? node : { ...node, attributes: given }
}

const text = fc.constantFrom('', 'x', 'y', 'z', 'long '.repeat(1_000), 'longer '.repeat(1_000))
const file: fc.Arbitrary<PlainNode> = fc.tuple(text, fc.option(attributes, { nil: undefined })).map(([content, given]) => withAttributes({ text: content }, given))
const link: fc.Arbitrary<PlainNode> = fc.tuple(fc.constantFrom('->a', '->b'), fc.option(linkAttributes, { nil: undefined })).map(([content, given]) => withAttributes({ text: content }, given))

const { node, directory }: { node: fc.Arbitrary<PlainNode>, directory: fc.Arbitrary<PlainDirectory> } = fc.letrec<{ node: PlainNode, directory: PlainDirectory }>(tie => ({
  node: fc.oneof({ maxDepth: 4, withCrossShrink: true }, { weight: 4, arbitrary: file }, { weight: 1, arbitrary: link }, { weight: 4, arbitrary: tie('directory') }),
  directory: fc.tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd.txt'), tie('node')), { selector: ([name]) => name, maxLength: 4 }),
    fc.option(attributes, { nil: undefined })
  ).map(([entries, given]) => withAttributes({ entries: new Map<string, PlainNode>(entries) }, given))
}))

/** Any small tree; names and contents are few, so that two of them meet. The root has no attributes. */
export const anyTree: fc.Arbitrary<PlainDirectory> = directory.map(({ entries }) => ({ entries }))

type Edit = readonly [path: readonly string[], node: PlainNode | null]

const edits: fc.Arbitrary<Edit[]> = fc.array(fc.tuple<[string[], PlainNode | null]>(fc.array(fc.constantFrom('a', 'b', 'c', 'd.txt'), { minLength: 1, maxLength: 3 }), fc.option(node, { freq: 3 })), { maxLength: 4 })

/** Two trees that began as a third. */
export const anyFork: fc.Arbitrary<{ base: PlainDirectory, ours: PlainDirectory, theirs: PlainDirectory }> =
  fc.tuple(anyTree, edits, edits).map(([base, byUs, byThem]) => ({ base, ours: byUs.reduce(edit, base), theirs: byThem.reduce(edit, base) }))

function edit (tree: PlainDirectory, [[name, ...rest], value]: Edit): PlainDirectory {
  const entries = new Map(tree.entries)
  const child = entries.get(name)

  if (rest.length > 0) {
    entries.set(name, edit(isDirectory(child) ? child : { entries: new Map() }, [rest, value]))
  } else if (value === null) {
    entries.delete(name)
  } else {
    entries.set(name, value)
  }

  return { ...tree, entries }
}
