import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import murmur from 'murmurhash3js-revisited'
import { numberedEntries, numberedName } from './entries.ts'
import { encodeBranch, encodeEntry } from './internals.ts'
import { spread, spreadInserts } from './spread.ts'
import type { BoundaryRow } from './boundary-row.ts'
import type { MakeEntry } from './entries.ts'

const DAG_CBOR = 0x71

interface Item {
  readonly name: string
  readonly bytes: number
}

interface Run {
  readonly name: string
  readonly bytes: number
}

/**
 * What the directory would be if a run began at every item whose name's hash is
 * 0 in a plain mask, here modulo the items that a run is to have on average:
 * no weight for the items' bytes, no minimum and no maximum. Only the bytes of
 * items are counted, not the few of a block's head.
 */
export function measureMask (count: number, make: MakeEntry, itemsPerRun: number, inserted: readonly string[]): BoundaryRow {
  const isBoundary = (level: number, name: string): boolean => murmur.x86.hash32(new TextEncoder().encode(name), level) % itemsPerRun === 0
  const branchBytes = sizeOfBranch()
  const levels: Run[][] = []
  let items: Item[] = Array.from(numberedEntries(count, make), entry => ({ name: entry.name, bytes: encodeEntry(entry).byteLength }))

  do {
    const runs = cut(items, name => isBoundary(levels.length, name))

    levels.push(runs)
    items = runs.map(({ name }) => ({ name, bytes: branchBytes }))
  } while (items.length > 1)

  const written = inserted.map((name, index) => {
    const change = { blocks: 0, bytes: 0 }
    let added = encodeEntry(make(name, index)).byteLength

    for (const [level, runs] of levels.entries()) {
      // where the new item begins a run, both parts of the old one are written
      const isSplit = added > 0 && isBoundary(level, name)

      change.blocks += isSplit ? 2 : 1
      change.bytes += runs[runIndex(runs, name)].bytes + added
      added = isSplit ? branchBytes : 0
    }

    return change
  })

  return {
    entries: count,
    content: 'inlined',
    rule: `mask, 1 in ${itemsPerRun}`,
    blocksPerLevel: levels.map(runs => runs.length),
    leafBytes: spread(levels[0].map(({ bytes }) => bytes)),
    inserts: spreadInserts(written),
    buildMs: []
  }
}

function cut (items: readonly Item[], isBoundary: (name: string) => boolean): Run[] {
  const runs: Array<{ name: string, bytes: number }> = []

  for (const { name, bytes } of items) {
    const open = runs.at(-1)

    if (open == null || isBoundary(name)) {
      runs.push({ name, bytes })
    } else {
      open.bytes += bytes
    }
  }

  return runs
}

/**
 * The last run that begins at or before a name
 */
function runIndex (runs: readonly Run[], name: string): number {
  let low = 0
  let high = runs.length - 1

  while (low < high) {
    const middle = Math.ceil((low + high) / 2)

    if (runs[middle].name <= name) {
      low = middle
    } else {
      high = middle - 1
    }
  }

  return low
}

function sizeOfBranch (): number {
  const link = CID.createV1(DAG_CBOR, Digest.decode(new Uint8Array([0x12, 32, ...new Uint8Array(32)])))

  return encodeBranch({ first: numberedName(0), link, count: 300, size: 100_000 }).byteLength
}
