import { decode, decodeOptions } from '@ipld/dag-cbor'
import { decode as decodeCbor } from 'cborg'
import { Bench } from 'tinybench'
import { SeededRandom } from '../../corpora/keystream.ts'
import { linkedEntries, numberedName } from '../format/entries.ts'
import { createBlock, dagCborCode, decodeDirectory, encodeEntry, encodeLeaf, findInDirectory } from './internals.ts'
import type { MakeEntry } from '../format/entries.ts'

export interface DirectoryWay {
  readonly key: string
  readonly what: string
  readonly usPerBlock: number
  readonly samples: number
}

export interface DirectoryFigures {
  /**
   * What is in its entries: links to files, or files of 100 bytes themselves
   */
  readonly content: DirectoryContent
  readonly entries: number
  readonly bytes: number
  readonly ways: readonly DirectoryWay[]
}

export type DirectoryContent = 'links' | 'inlined'

const NAMES = 1_024
const INLINED_BYTES = 100
/**
 * Fewer say nothing about something so short
 */
const LEAST_SAMPLES = 50
const WARM_UP_MS = 200

// links stay the bytes that they are, until somebody follows one
const lazyTags = { ...decodeOptions, tags: { ...decodeOptions.tags, 42: (read: () => unknown) => read() } }

/**
 * Times ways of getting one entry out of a directory's block.
 */
export async function measureDirectory (content: DirectoryContent, entries: number, { iterations, minTimeMs, seed }: { iterations: number, minTimeMs: number, seed: string }): Promise<DirectoryFigures> {
  const make = content === 'links' ? linkedEntries() : inlined
  const names = Array.from({ length: entries }, (_, index) => numberedName(index))
  const block = await createBlock(dagCborCode, encodeLeaf(names.map((name, index) => encodeEntry(make(name, index)))))
  const random = new SeededRandom(`${seed}/directory`)
  const wanted = Array.from({ length: NAMES }, () => names[random.below(entries)])
  const cycle = { run: 0 }

  const ways: Readonly<Record<string, { what: string, find(name: string): unknown }>> = {
    'in place': {
      what: 'findInDirectory: the one entry, without decoding the rest',
      find: name => {
        const found = findInDirectory(block, name)

        return 'entry' in found ? found.entry?.name : undefined
      }
    },
    strict: {
      what: 'decodeDirectory: all entries, checked',
      find: name => {
        const node = decodeDirectory(block)

        return 'entries' in node ? node.entries.find(entry => entry.name === name)?.name : undefined
      }
    },
    'lazy CIDs': {
      what: 'cborg, links left as bytes',
      find: name => findTuple(decodeCbor(block.bytes, lazyTags), name)
    },
    full: {
      what: '@ipld/dag-cbor, everything decoded',
      find: name => findTuple(decode(block.bytes), name)
    }
  }
  const bench = new Bench({ iterations: Math.max(iterations, LEAST_SAMPLES), time: minTimeMs, warmupIterations: LEAST_SAMPLES, warmupTime: WARM_UP_MS, retainSamples: true, throws: true })

  for (const [key, { find }] of Object.entries(ways)) {
    requireFound(key, wanted[0], find(wanted[0]))
    bench.add(key, () => { find(wanted[cycle.run++ % NAMES]) })
  }

  const tasks = await bench.run()

  return {
    content,
    entries,
    bytes: block.bytes.byteLength,
    ways: tasks.map(({ name, result }) => {
      if (result.state !== 'completed') {
        throw new Error(`${name} was not measured (${result.state})`)
      }

      return { key: name, what: ways[name].what, usPerBlock: result.latency.p50 * 1000, samples: result.latency.samplesCount }
    })
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
