import all from 'it-all'
import { blockReader } from '../../../src/blockstore/index.ts'
import { concat } from '../../../src/bytes.ts'
import { listEntries } from '../../../src/directory/index.ts'
import { fixedSize, readFile, writeFile } from '../../../src/file/index.ts'
import { HandMade } from '../hand-made.ts'
import type { Branch, Content, Entry, FileEntry, Part } from '../../../src/codec/index.ts'
import type { BlockStore, FileLayout } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'

/** How another program stores what a canonical tree contains: valid, and in other blocks. */
export interface ForeignWay {
  /** Cuts the entries of a directory into leaves */
  leaves(entries: readonly Entry[]): Entry[][]
  /** Cuts branches, of which there are at least two, into the nodes of a level */
  nodes(branches: readonly Branch[], level: number): Branch[][]
  /** Stores a file that is not empty */
  file(made: HandMade, bytes: Uint8Array): Promise<Content>
}

/** Stores the content of a tree in a foreign way. */
export async function foreignTree (store: BlockStore, root: CID, way: ForeignWay): Promise<CID> {
  return (await new ForeignWriter(store, way).directory(root)).link
}

class ForeignWriter {
  readonly #made: HandMade
  readonly #way: ForeignWay
  readonly #reader: ReturnType<typeof blockReader>

  constructor (store: BlockStore, way: ForeignWay) {
    this.#made = new HandMade(store)
    this.#way = way
    this.#reader = blockReader(store)
  }

  async directory (root: CID): Promise<Branch> {
    const entries: Entry[] = []

    for await (const entry of listEntries(this.#reader, { cid: root })) {
      entries.push(await this.#entry(entry))
    }

    const leaves = entries.length === 0 ? [[]] : this.#way.leaves(entries)

    return this.#top(await Promise.all(leaves.map(async run => this.#made.leaf(run))), 1)
  }

  /** The root over the runs below a level. */
  async #top (below: readonly Branch[], level: number): Promise<Branch> {
    if (below.length === 1) {
      return below[0]
    }

    return this.#top(await Promise.all(this.#way.nodes(below, level).map(async run => this.#made.branches(level, run))), level + 1)
  }

  async #entry (entry: Entry): Promise<Entry> {
    if (entry.kind === 'directory') {
      const { link, size } = await this.directory(entry.content)

      return { ...entry, content: link, size }
    }

    return entry.kind === 'file' && entry.size > 0 ? { ...entry, content: await this.#file(entry) } : entry
  }

  async #file (file: FileEntry): Promise<Content> {
    return this.#way.file(this.#made, concat(await all(readFile(this.#reader, file, 0, file.size, {}))))
  }
}

function every <T> (length: number): (items: readonly T[]) => T[][] {
  return items => Array.from({ length: Math.ceil(items.length / length) }, (_, i) => items.slice(i * length, (i + 1) * length))
}

function inLayout (layout: FileLayout): ForeignWay['file'] {
  return async (made, bytes) => {
    const { content } = await writeFile(async ({ cid, bytes: block }) => { await made.store.put(cid, block) }, bytes, layout)

    return content
  }
}

const large = 2 ** 20

async function chunks (made: HandMade, bytes: Uint8Array): Promise<Part[]> {
  const count = Math.ceil(bytes.byteLength / large)

  return Promise.all(Array.from({ length: count }, async (_, i) => chunk(made, bytes.subarray(i * large, (i + 1) * large))))
}

async function chunk (made: HandMade, bytes: Uint8Array): Promise<Part> {
  return { length: bytes.byteLength, link: await made.raw(bytes) }
}

/** One part at the left edge of each level, and chunks at different depths. */
async function leaning (made: HandMade, bytes: Uint8Array): Promise<Content> {
  if (bytes.byteLength === 1) {
    return made.raw(bytes)
  }

  const middle = Math.min(large, bytes.byteLength - 1)
  const lower = await made.index(await chunks(made, bytes.subarray(middle)))
  const { link } = await made.index([await made.index([await chunk(made, bytes.subarray(0, middle))]), await made.index([lower])])

  return link
}

/** The first chunk shorter than the others. */
async function shortFirst (made: HandMade, bytes: Uint8Array): Promise<Content> {
  if (bytes.byteLength === 1) {
    return bytes
  }

  const { link } = await made.index([await chunk(made, bytes.subarray(0, 1)), ...await chunks(made, bytes.subarray(1))])

  return link
}

const asLarge = inLayout({ chunker: fixedSize(large), width: 1024, inlineBytes: 0 })

/** Ways in which valid trees differ from canonical ones, each of directories and of files. */
export const foreignWays: Readonly<Record<string, ForeignWay>> = {
  'no file inlined, an entry in each leaf': { leaves: every(1), nodes: every(2), file: asLarge },
  'large files inlined, leaves of 3 entries': {
    leaves: every(3),
    nodes: every(1_000),
    file: async (made, bytes) => bytes.byteLength <= 60_000 ? bytes : asLarge(made, bytes)
  },
  'chunks of 777 bytes, leaves as large as can be': {
    leaves: every(1_000),
    nodes: every(4_000),
    file: inLayout({ chunker: fixedSize(777), width: 3, inlineBytes: 10 })
  },
  'indexes that are not balanced, a level too many': {
    leaves: every(20),
    nodes: (branches, level) => every<Branch>(level === 1 ? 1 : 1_000)(branches),
    file: leaning
  },
  'chunks of different lengths, levels of two': { leaves: every(5), nodes: every(2), file: shortFirst }
}
