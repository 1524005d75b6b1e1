import { median } from 'simple-statistics'
import { timeRun } from '../../harness/time-run.ts'
import { inlinedEntries, insertedNames, linkedEntries, numberedEntries } from './entries.ts'
import { editDirectory } from './internals.ts'
import { measureMask } from './mask.ts'
import { spread, spreadInserts } from './spread.ts'
import { buildOnly, levelsOf, storeDirectory } from './stored-directory.ts'
import type { BoundaryRow } from './boundary-row.ts'
import type { MakeEntry } from './entries.ts'
import type { FormatOptions } from './options.ts'
import type { Inserts } from './spread.ts'
import type { StoredDirectory } from './stored-directory.ts'
import type { Progress } from '../../tools/progress.ts'

/**
 * Builds directories of each size, and inserts into them.
 */
export async function measureBoundaries (options: FormatOptions, progress: Progress, signal: AbortSignal): Promise<BoundaryRow[]> {
  const rows: BoundaryRow[] = []

  // the first builds pay for the compiler
  await buildOnly(numberedEntries(20_000, linkedEntries()))

  for (const count of options.entries) {
    signal.throwIfAborted()
    progress(`boundaries: ${count} entries`)
    rows.push(await measureRule(count, 'linked', linkedEntries, options))
  }

  const linked = rows.at(-1)

  if (options.inlined > 0 && linked != null) {
    signal.throwIfAborted()
    progress(`boundaries: ${options.inlined} entries with inlined content`)

    const inlined = await measureRule(options.inlined, 'inlined', () => inlinedEntries(options.seed), options)
    // what a mask that is chosen for one kind of entries does to the other
    const runs = new Set([inlined, linked].map(({ entries, blocksPerLevel }) => Math.round(entries / blocksPerLevel[0])))

    rows.push(inlined, ...[...runs].map(itemsPerRun => measureMask(options.inlined, inlinedEntries(options.seed), itemsPerRun, insertedNames(options.inlined, options.inserts, options.seed))))
  }

  return rows
}

async function measureRule (count: number, content: BoundaryRow['content'], maker: () => MakeEntry, options: FormatOptions): Promise<BoundaryRow> {
  const buildMs = await timeBuilds(count, maker)
  const directory = await storeDirectory(numberedEntries(count, maker()))
  const { blocks, leafBytes } = await levelsOf(directory)

  return {
    entries: count,
    content,
    rule: 'dagfs',
    blocksPerLevel: blocks.toReversed(),
    leafBytes: spread(leafBytes),
    inserts: await measureInserts(directory, insertedNames(count, options.inserts, options.seed), maker()),
    buildMs,
    usPerEntry: median(buildMs) * 1000 / count
  }
}

/**
 * At least 3 builds, and so many of the small ones that they say something
 */
async function timeBuilds (count: number, maker: () => MakeEntry): Promise<number[]> {
  const samples = []

  for (let run = 0; run < Math.max(3, Math.min(31, 500_000 / count)); run++) {
    const make = maker()
    const { ms } = await timeRun(async () => buildOnly(numberedEntries(count, make)), { collect: true })

    samples.push(ms)
  }

  return samples
}

/**
 * Each insert is the only one: all start from the same directory
 */
async function measureInserts ({ root, reader }: StoredDirectory, names: readonly string[], make: MakeEntry): Promise<Inserts> {
  const written = []

  for (const [index, name] of names.entries()) {
    const { blocks } = await editDirectory(reader, root, new Map([[name, make(name, index)]]))

    written.push({ blocks: blocks.length, bytes: blocks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) })
  }

  return spreadInserts(written)
}
