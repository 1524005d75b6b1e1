import { decode, decodeOptions } from '@ipld/dag-cbor'
import { decode as decodeCbor } from 'cborg'
import { SeededRandom } from '../../corpora/keystream.ts'
import { linkedEntries, numberedName } from '../format/entries.ts'
import { createBlock, dagCborCode, decodeDirectory, encodeEntry, encodeLeaf, findInDirectory } from './internals.ts'
import type { MakeEntry } from '../format/entries.ts'

/**
 * What is in the entries of a directory: links to files, or files of 100 bytes themselves
 */
export type DirectoryContent = 'links' | 'inlined'

export interface Way {
  readonly what: string
  /**
   * The codec whose version it goes by
   */
  readonly codec: string
  find(block: Block, name: string): unknown
}

/**
 * A directory's block, and look-ups of one way in it
 */
export interface OpenDirectory {
  readonly bytes: number
  /**
   * Looks up as many names as a sample has
   */
  lookUp(): void
}

type Block = Awaited<ReturnType<typeof createBlock>>

/**
 * Names that one sample looks up, one after the other: one alone would be too short to time
 */
export const LOOK_UPS = 16

const NAMES = 1_024
const INLINED_BYTES = 100

// links stay the bytes that they are, until somebody follows one
const lazyTags = { ...decodeOptions, tags: { ...decodeOptions.tags, 42: (read: () => unknown) => read() } }

/**
 * Ways of getting one entry out of a directory's block
 */
export const WAYS: Readonly<Record<string, Way>> = {
  'in place': {
    what: 'findInDirectory: the one entry, without decoding the rest',
    codec: 'dagfs',
    find (block, name) {
      const found = findInDirectory(block, name)

      return 'entry' in found ? found.entry?.name : undefined
    }
  },
  strict: {
    what: 'decodeDirectory: all entries, checked',
    codec: 'dagfs',
    find (block, name) {
      const node = decodeDirectory(block)

      return 'entries' in node ? node.entries.find(entry => entry.name === name)?.name : undefined
    }
  },
  'lazy CIDs': {
    what: 'cborg, links left as bytes',
    codec: 'dag-cbor',
    find: ({ bytes }, name) => findTuple(decodeCbor(bytes, lazyTags), name)
  },
  full: {
    what: '@ipld/dag-cbor, everything decoded',
    codec: 'dag-cbor',
    find: ({ bytes }, name) => findTuple(decode(bytes), name)
  }
}

/**
 * Makes a directory's block, the same for the same seed, and finds every name
 * in it that is looked up then.
 */
export async function openDirectory (way: string, content: DirectoryContent, entries: number, seed: string): Promise<OpenDirectory> {
  const { find } = WAYS[way]
  const make = content === 'links' ? linkedEntries() : inlined
  const names = Array.from({ length: entries }, (_, index) => numberedName(index))
  const block = await createBlock(dagCborCode, encodeLeaf(names.map((name, index) => encodeEntry(make(name, index)))))
  const random = new SeededRandom(`${seed}/directory`)
  const wanted = Array.from({ length: NAMES }, () => names[random.below(entries)])
  let next = 0

  for (const name of wanted.slice(0, LOOK_UPS)) {
    requireFound(way, name, find(block, name))
  }

  return {
    bytes: block.bytes.byteLength,
    lookUp () {
      for (let count = 0; count < LOOK_UPS; count++) {
        find(block, wanted[next++ % NAMES])
      }
    }
  }
}

const inlined: MakeEntry = (name, number) => ({ name, kind: 'file', content: new Uint8Array(INLINED_BYTES).fill(number), size: INLINED_BYTES, attributes: { mode: 0o644 } })

function findTuple (node: unknown, name: string): unknown {
  const { dir } = node as { dir: Array<[string, ...unknown[]]> }

  return dir.find(([first]) => first === name)?.[0]
}

function requireFound (key: string, name: string, found: unknown): void {
  if (found !== name) {
    throw new Error(`${key} did not find ${name}`)
  }
}
