import { cidKey, decodeSnapshot } from '../../codec/index.ts'
import { InvalidNodeError, LimitExceededError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { isMissing } from '../publish/block-presence.ts'
import type { BlockReader, BlockStore } from '../../blockstore/index.ts'
import type { ReadOptions } from '../../budget.ts'
import type { Snapshot } from '../../codec/index.ts'
import type { CID } from 'multiformats/cid'

// lines of history that go on side by side
export const maxOpenLines = 2_000

// a snapshot may have 82 KiB, and takes a few times as much once it is decoded
const maxOpenBytes = 64 * 2 ** 20

/** Where snapshots are read from. */
export interface SnapshotSource {
  readonly blocks: BlockReader
  /** The store behind it, which knows what it has */
  readonly store: BlockStore
}

/** A snapshot on the walk. */
export interface WalkedSnapshot {
  readonly cid: CID
  readonly snapshot: Snapshot
  /** Parents that the store does not have */
  readonly missing: readonly CID[]
  /** The heads that it was reached from, a bit for each */
  readonly marks: number
}

/**
 * Walks the history behind some heads: those of the highest generation first, then the latest, then by CID. Each comes
 * once, after everything that follows it. Held are only the snapshots between those walked and those not reached.
 *
 * @throws {InvalidNodeError} where a snapshot's generation is not one more than its parents' highest
 * @throws {LimitExceededError} for more than 2,000 lines of history side by side, or 64 MiB of them, and where the budget ends
 */
export async function * walkHistory (source: SnapshotSource, heads: readonly CID[], options: ReadOptions): AsyncGenerator<WalkedSnapshot> {
  const queue = new Queue()

  for (const [i, cid] of heads.entries()) {
    queue.add({ cid, ...await read(source.blocks, cid, options), marks: 1 << i })
  }

  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    await pace(options)
    const { cid, snapshot, marks } = next
    const missing: CID[] = []
    const parents = await Promise.all(snapshot.parents.map(async parent => ({ cid: parent, found: queue.find(parent) ?? await readIfThere(source, parent, options) })))

    for (const { cid: parent, found } of parents) {
      if (found === undefined) {
        missing.push(parent)
      } else {
        queue.add({ ...found, cid: parent, marks })
      }
    }

    checkGeneration(cid, snapshot, parents.flatMap(({ found }) => found?.snapshot ?? []))
    yield { cid, snapshot, missing, marks }
  }
}

interface ReadSnapshot {
  readonly snapshot: Snapshot
  /** Bytes of its block */
  readonly bytes: number
}

async function read (blocks: BlockReader, cid: CID, { signal, budget }: ReadOptions): Promise<ReadSnapshot> {
  const block = await blocks.get(cid, { signal })
  budget?.spend('entries', 1)
  budget?.spend('blocks', 1)
  budget?.spend('bytes', block.bytes.byteLength)

  return { snapshot: decodeSnapshot(block), bytes: block.bytes.byteLength }
}

/** A history may be known only so far back. */
async function readIfThere ({ blocks, store }: SnapshotSource, cid: CID, options: ReadOptions): Promise<ReadSnapshot | undefined> {
  try {
    return await read(blocks, cid, options)
  } catch (err) {
    if (!await isMissing(store, cid, err, options)) {
      throw err
    }
  }
}

function checkGeneration (cid: CID, { generation, parents }: Snapshot, known: readonly Snapshot[]): void {
  const highest = known.reduce((max, parent) => Math.max(max, parent.generation), -1)

  if (known.length === parents.length ? generation !== highest + 1 : generation <= highest) {
    throw new InvalidNodeError(`a snapshot has generation ${generation}, but its parents' highest is ${highest}`, { cid })
  }
}

interface Queued extends ReadSnapshot {
  readonly cid: CID
  marks: number
}

/** Snapshots that were reached and not walked, each once. */
class Queue {
  /** The next one last */
  readonly #sorted: Queued[] = []
  readonly #byCid = new Map<string, Queued>()
  #bytes = 0

  find (cid: CID): ReadSnapshot | undefined {
    return this.#byCid.get(cidKey(cid))
  }

  add (added: Queued): void {
    const known = this.#byCid.get(cidKey(added.cid))

    if (known !== undefined) {
      known.marks |= added.marks
      return
    }

    if (this.#sorted.length === maxOpenLines) {
      throw new LimitExceededError(`the history has more than ${maxOpenLines} concurrent branches`, { cid: added.cid })
    }

    this.#bytes += added.bytes

    if (this.#bytes > maxOpenBytes) {
      throw new LimitExceededError(`the concurrent branches of the history take more than ${maxOpenBytes} bytes`, { cid: added.cid })
    }

    this.#byCid.set(cidKey(added.cid), added)
    this.#sorted.splice(this.#placeOf(added), 0, added)
  }

  #placeOf (added: Queued): number {
    let low = 0
    let high = this.#sorted.length

    while (low < high) {
      const middle = (low + high) >>> 1

      if (order(this.#sorted[middle], added) > 0) {
        low = middle + 1
      } else {
        high = middle
      }
    }

    return low
  }

  take (): Queued | undefined {
    const next = this.#sorted.pop()

    if (next !== undefined) {
      this.#bytes -= next.bytes
      this.#byCid.delete(cidKey(next.cid))
    }

    return next
  }
}

/** Below 0 where a is walked before b. */
function order (a: Queued, b: Queued): number {
  return b.snapshot.generation - a.snapshot.generation ||
    compareTimes(b.snapshot.time, a.snapshot.time) ||
    (String(a.cid) < String(b.cid) ? -1 : 1)
}

function compareTimes (a: Snapshot['time'], b: Snapshot['time']): number {
  if (a === undefined || b === undefined) {
    return Number(a !== undefined) - Number(b !== undefined)
  }

  return a[0] - b[0] || a[1] - b[1]
}

/**
 * The best common ancestor of two snapshots, either of which may be the other's: that of the highest generation. Where
 * there are several, as after each of two lines was merged into the other, it is the latest of them, or else the one
 * whose CID is the first; any of them is a sound base. Undefined where the histories that are known have nothing in
 * common.
 */
export async function commonAncestor (source: SnapshotSource, a: CID, b: CID, options: ReadOptions): Promise<CID | undefined> {
  if (a.equals(b)) {
    return a
  }

  for await (const { cid, marks } of walkHistory(source, [a, b], options)) {
    if (marks === 0b11) {
      return cid
    }
  }
}
