import { setTimeout as delay } from 'node:timers/promises'
import { dagfs } from 'dagfs'
import { max, median, quantile } from 'simple-statistics'
import { SeededRandom } from '../../corpora/keystream.ts'
import { linkedEntries } from './entries.ts'
import { storeDirectory } from './stored-directory.ts'
import type { FileEntry } from './internals.ts'
import type { FormatOptions } from './options.ts'
import type { Progress } from '../../tools/progress.ts'
import type { MemoryBlockstore } from 'blockstore-core'
import type { CID } from 'multiformats/cid'

/**
 * Which attributes the entries carry: the more bytes they have, the more blocks
 */
export type Recorded = 'mode, mtime' | 'mode' | 'none'

export interface ListingRow {
  readonly files: number
  readonly recorded: Recorded
  readonly nameSets: number
  /**
   * The share of the sets of names that need at most 12 blocks
   */
  readonly within: number
  readonly blocks: { readonly median: number, readonly p90: number, readonly max: number }
  readonly roundTrips: { readonly median: number, readonly max: number }
}

const LISTED: ReadonlyArray<readonly [number, Recorded]> = [[200, 'mode, mtime'], [300, 'mode, mtime'], [3_000, 'none'], [3_000, 'mode'], [3_000, 'mode, mtime']]

const AIMED_BLOCKS = 12

/**
 * Long enough for all requests of one round to come in
 */
const ROUND_MS = 5

/**
 * Counts the blocks that a listing with all metadata fetches, over many sets of
 * names, since where the boundaries fall is up to the names.
 */
export async function measureListings ({ nameSets, seed }: FormatOptions, progress: Progress, signal: AbortSignal): Promise<ListingRow[]> {
  const rows: ListingRow[] = []

  for (const [files, recorded] of LISTED) {
    const random = new SeededRandom(`${seed}/names/${files}/${recorded}`)
    const blocks: number[] = []
    const roundTrips: number[] = []

    for (let set = 0; set < nameSets; set++) {
      signal.throwIfAborted()
      progress(`ls: ${files} files, set of names ${set + 1} of ${nameSets}`)

      const { root, store } = await storeDirectory(entriesOf(files, recorded, random))
      const remote = new RemoteStore(store)

      await list(remote, root.cid, files, recorded)
      blocks.push(remote.gets)
      roundTrips.push(remote.roundTrips)
    }

    rows.push({
      files,
      recorded,
      nameSets,
      within: blocks.filter(count => count <= AIMED_BLOCKS).length / nameSets,
      blocks: { median: median(blocks), p90: quantile(blocks, 0.9), max: max(blocks) },
      roundTrips: { median: median(roundTrips), max: max(roundTrips) }
    })
  }

  return rows
}

/**
 * Entries of at most 91 bytes with random names of 17
 */
function entriesOf (count: number, recorded: Recorded, random: SeededRandom): FileEntry[] {
  const names = new Set<string>()
  const make = linkedEntries()

  while (names.size < count) {
    const drawn = `${random.below(2 ** 32).toString(36)}${random.below(2 ** 32).toString(36)}`

    names.add(`${drawn.padEnd(13, 'x').slice(0, 13)}.txt`)
  }

  return [...names].sort().map((name, number) => {
    const { attributes, ...entry } = make(name, number)

    switch (recorded) {
      case 'none':
        return entry
      case 'mode':
        return { ...entry, attributes: { mode: attributes?.mode } }
      default:
        return { ...entry, attributes }
    }
  })
}

async function list (blockstore: RemoteStore, root: CID, files: number, recorded: Recorded): Promise<void> {
  let listed = 0

  for await (const { cid, mode, mtime, size } of dagfs({ blockstore }).at(root).ls('/')) {
    if (cid == null || size === 0 || (mode != null) !== recorded.includes('mode') || (mtime != null) !== recorded.includes('mtime')) {
      throw new Error('a listing lacks metadata')
    }

    listed++
  }

  if (listed !== files) {
    throw new Error(`${files} files were to be listed, and ${listed} were`)
  }
}

/**
 * Answers every request after the same time, as a store behind a network does.
 */
class RemoteStore {
  readonly #store: MemoryBlockstore
  #open = 0
  gets = 0
  roundTrips = 0

  constructor (store: MemoryBlockstore) {
    this.#store = store
  }

  async * get (cid: CID): AsyncGenerator<Uint8Array> {
    this.gets++
    this.roundTrips += this.#open === 0 ? 1 : 0
    this.#open++

    try {
      await delay(ROUND_MS)
      yield * this.#store.get(cid)
    } finally {
      this.#open--
    }
  }

  put (): never {
    throw new Error('a listing writes nothing')
  }
}
