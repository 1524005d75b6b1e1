import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keystream } from '../../corpora/keystream.ts'
import { describeError } from '../../harness/describe-error.ts'
import { figuresOf, unmeasured } from '../../harness/figures.ts'
import { describeMachine } from '../../harness/machine.ts'
import { measureSubjects } from '../../harness/measure-subjects.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { startWorker } from '../../harness/worker-process.ts'
import { FILE_NAME, PHASES } from './phases.ts'
import { judgeTargets } from './targets.ts'
import type { LargeFileOptions } from './options.ts'
import type { PhaseInit, PhaseKey } from './phases.ts'
import type { LargeFileReport, LargeFileRow } from './report.ts'
import type { SubjectOutcome } from '../../harness/measure-subjects.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { TimedSample } from '../../harness/rounds.ts'
import type { PhaseFunctions } from '../../harness/serve-phase.ts'

export type { LargeFileReport } from './report.ts'

const SEED = 'dagfs/large-file/1'
const TIMEOUT_MS = 30 * 60_000
const WRITING: readonly PhaseKey[] = ['floor', 'write']
const READING: readonly PhaseKey[] = ['hash', 'read']

type Context = Pick<RunContext, 'progress' | 'signal'>
type Outcome = SubjectOutcome<{ readonly cid: string }, TimedSample>

/**
 * Writes one large file into a pack store and reads it back, each beside the
 * least that any program has to do, and each in a process of its own.
 */
export async function runLargeFile (options: LargeFileOptions, context: RunContext): Promise<LargeFileReport> {
  return withTemporaryDirectory(async directory => {
    // what is read was written before: it is one part
    const { results, interrupted } = await runParts<readonly LargeFileRow[]>([{
      key: 'phases',
      measure: async progress => measureAll(directory, options, { progress, signal: context.signal })
    }], context)
    const rows = results.flat()

    return {
      schema: 2,
      case: 'large-file',
      machine: await describeMachine(directory),
      options,
      bytes: options.bytes,
      rows,
      targets: judgeTargets(rows),
      ...interrupted == null ? {} : { interrupted }
    }
  })
}

async function measureAll (directory: string, options: LargeFileOptions, context: Context): Promise<readonly LargeFileRow[]> {
  const [source, scratch] = [join(directory, 'source'), join(directory, 'scratch')]

  context.progress(`making a file of ${options.bytes} bytes`)
  await Promise.all([mkdir(source), mkdir(scratch)])
  await writeFile(join(source, FILE_NAME), keystream(SEED, options.bytes), { signal: context.signal })

  const init = { source, bytes: options.bytes, scratch }
  const rows: LargeFileRow[] = []

  for (const keys of [WRITING, READING]) {
    const outcomes = await measure(keys, init, options, context)

    rows.push(...keys.map(key => rowOf(key, outcomes.get(key))))
  }

  return rows
}

async function measure (keys: readonly PhaseKey[], init: Omit<PhaseInit, 'phase'>, { iterations }: LargeFileOptions, { progress, signal }: Context): Promise<Map<string, Outcome>> {
  return measureSubjects(keys.map(key => ({ key, flushedBy: keys === WRITING ? 'process' : 'parent' })), {
    options: { iterations, minTimeMs: 0 },
    progress,
    signal,
    // the file beside this one when both are compiled
    start: ({ key }) => startWorker<PhaseFunctions<PhaseInit>>(key, fileURLToPath(new URL('worker.js', import.meta.url)), { signal, timeoutMs: TIMEOUT_MS }),
    init: ({ key }) => ({ ...init, phase: key })
  })
}

function rowOf (key: PhaseKey, outcome: Outcome | undefined): LargeFileRow {
  const { what, durable } = PHASES[key]
  const row = { ...unmeasured, case: 'large-file' as const, phase: key, what, durable, version: null, status: 'ok' as const, reason: null }

  if (outcome == null) {
    return row
  }

  return 'failure' in outcome ? { ...row, status: 'failed', reason: describeError(outcome.failure) } : { ...row, ...figuresOf(outcome), cid: outcome.checked.cid }
}
