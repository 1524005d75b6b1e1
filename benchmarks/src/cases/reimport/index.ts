import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { importDirectory } from 'dagfs/host'
import { PackBlockstore } from 'dagfs/pack'
import { packageVersion } from '../../contenders/package-version.ts'
import { copyTree, whole } from '../../corpora/copy-tree.ts'
import { generateTree } from '../../corpora/generate-tree.ts'
import { walk } from '../../corpora/walk.ts'
import { flushToDisk } from '../../harness/flush.ts'
import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { timePhases } from '../../harness/phases.ts'
import { resolveGiven } from '../../harness/resolve-given.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { timeRun } from '../../harness/time-run.ts'
import { measureEqualContents } from './equal-contents.ts'
import { importOptions, open, phasesOf } from './phases.ts'
import { rootOf } from './root-of.ts'
import { rowOf } from './row.ts'
import { judgeTargets } from './targets.ts'
import type { ReimportOptions } from './options.ts'
import type { Phase } from './phases.ts'
import type { ReimportReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { PhaseOutcome, TimedPhase } from '../../harness/phases.ts'

export type { ReimportReport } from './report.ts'

type Measured = Pick<ReimportReport, 'files' | 'bytes' | 'rows'>

/**
 * What is measured whole or not at all; files and bytes are of the directory that is imported again
 */
type MeasuredPart = Pick<ReimportReport, 'rows'> & Partial<Measured>

// what was copied just now could change again without its times telling
const SETTLED_MS = 2_200

/**
 * Imports a directory once, and then times importing it again and exporting it,
 * each in turn; and imports files of equal content beside files that are all different.
 */
export async function runReimport (options: ReimportOptions, context: RunContext): Promise<ReimportReport> {
  return withTemporaryDirectory(async directory => {
    const { results, interrupted } = await runParts<MeasuredPart>([
      // what is timed goes on with what was done before: it is one part
      { key: 'phases', weight: 4, measure: async progress => measure(directory, options, { progress, signal: context.signal }) },
      {
        key: 'equal contents',
        measure: async progress => ({ rows: await measureEqualContents(directory, options, { progress, signal: context.signal }) })
      }
    ], context)
    const [{ files = 0, bytes = 0 } = {}] = results
    const rows = results.flatMap(part => part.rows)

    return {
      schema: 2,
      case: 'reimport',
      machine: await describeMachine(directory),
      options,
      version: await packageVersion('dagfs'),
      files,
      bytes,
      rows,
      targets: judgeTargets(rows, options),
      ...interrupted == null ? {} : { interrupted }
    }
  })
}

async function measure (directory: string, options: ReimportOptions, { progress, signal }: Pick<RunContext, 'progress' | 'signal'>): Promise<Measured> {
  const source = join(directory, 'source')

  progress('making the directory')
  await makeSource(source, options)

  const changing = await choose(source, options.changed)
  const store = new PackBlockstore(join(directory, 'store'))

  await setTimeout(SETTLED_MS)
  await store.open()

  try {
    progress('importing it for the first time')

    const cold = await timeRun(async () => {
      const fs = open(store)
      const report = await importDirectory(fs, source, importOptions(directory))

      await fs.commit()

      return report
    })
    const { files, bytes } = cold.result
    const phases = phasesOf({ store, source, directory, changing, files })
    const outcomes = await timePhases(phases.map(checked), options.iterations, { progress, signal })

    if (!signal.aborted) {
      progress('verifying what is stored and what was exported')
      await verify(outcomes, { store, source, exported: join(directory, 'exported') })
    }

    return {
      files,
      bytes,
      rows: [
        rowOf({ key: 'cold', what: 'importDirectory into an empty store, with a new record, and commit', touched: files, durable: true }, { rawMs: [cold.ms] }),
        ...phases.map(phase => rowOf(phase, outcomes.get(phase.key) ?? { rawMs: [] }))
      ]
    }
  } finally {
    await store.close()
  }
}

async function makeSource (source: string, { testPath, files, bytes }: ReimportOptions): Promise<void> {
  await (testPath == null
    ? generateTree(source, { files, bytes, depth: 8, duplicates: 0.3, seed: 'dagfs/reimport/1' })
    : copyTree(resolveGiven(testPath), source, whole()))
  await flushToDisk()
}

/**
 * Chooses files all over the directory.
 */
async function choose (source: string, count: number): Promise<string[]> {
  const paths: string[] = []

  for await (const { kind, path } of walk(source)) {
    if (kind === 'file') {
      paths.push(path)
    }
  }

  const chosen = Math.min(count, paths.length)

  return Array.from({ length: chosen }, (_, i) => paths[Math.floor(i * paths.length / chosen)])
}

function checked ({ key, touched, prepare, run }: Phase): TimedPhase {
  return {
    key,
    prepare,
    async run () {
      const found = await run()

      if (found !== touched) {
        throw new Error(`${key} read or wrote ${String(found)} files, where it should have been ${String(touched)}`)
      }
    }
  }
}

/**
 * Compares the stored root with those of imports of the directory, and of what
 * was exported, into nothing. What differs counts as failed.
 */
async function verify (outcomes: Map<string, PhaseOutcome>, { store, source, exported }: { readonly store: PackBlockstore, readonly source: string, readonly exported: string }): Promise<void> {
  const { root } = await open(store).commit()
  const withTimes = await rootOf(source, true)
  const wasTimed = (key: string): boolean => 'rawMs' in (outcomes.get(key) ?? {})

  if (wasTimed('changed') && withTimes !== root.toString()) {
    outcomes.set('changed', { reason: `importing again gave ${root}, and importing into nothing ${withTimes}` })
  }

  if (wasTimed('export')) {
    // an export sets times to about a microsecond
    const [before, after] = [await rootOf(source, false), await rootOf(exported, false)]

    if (before !== after) {
      outcomes.set('export', { reason: `what was exported gives ${after}, and what was imported ${before}` })
    }
  }
}
