import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeError } from '../../harness/describe-error.ts'
import { figuresOf, unmeasured } from '../../harness/figures.ts'
import { measureSubjects } from '../../harness/measure-subjects.ts'
import { startWorker } from '../../harness/worker-process.ts'
import { contenderOf } from './contenders/index.ts'
import { operationOf } from './operations/index.ts'
import type { HeadersOptions, StoreKey } from './options.ts'
import type { Checked, HeadersWorkerFunctions } from './protocol.ts'
import type { HeadersRow } from './report.ts'
import type { Measured, Subject } from '../../harness/measure-subjects.ts'
import type { TimedSample } from '../../harness/rounds.ts'
import type { Progress } from '../../tools/progress.ts'

/**
 * A sample is of so many runs that they move about this many bytes, and of one run
 * where that is more
 */
const SAMPLE_BYTES = 2 ** 20
/**
 * On disk a run takes longer by itself, and preparing it much longer
 */
const MOST_RUNS: Readonly<Record<StoreKey, number>> = { memory: 32, disk: 8 }
/**
 * What is short is to be measured compiled; dagfs, which has the most code, takes
 * some hundred runs to be
 */
const WARM_UP_ROUNDS = 15
/**
 * What moves many bytes takes little of its time in our code
 */
const WARM_UP_ROUNDS_OF_ONE = 2

/**
 * With files below this, what metadata costs shows, and each sample is so short that many
 * are needed to see it: rows go on for as many times the least time at most
 */
const SMALL_BELOW_BYTES = 2 ** 20
const MORE_TIMES = 4

export interface MeasureContext {
  readonly options: HeadersOptions
  /**
   * Where the stores on disk go
   */
  readonly directory: string
  readonly progress: Progress
  readonly signal: AbortSignal
}

interface HeadersSubject extends Subject {
  readonly contender: string
  readonly operation: string
  readonly fileBytes: number
  readonly store: StoreKey
  readonly runs: number
}

export interface OperationRun {
  readonly rows: readonly HeadersRow[]
  /**
   * What each contender was told, by its key
   */
  readonly told: Readonly<Record<string, unknown>>
}

/**
 * Times all contenders with one operation at one size in one kind of store, in
 * turn, each in a process of its own.
 */
export async function measureOperation (work: Pick<HeadersSubject, 'operation' | 'fileBytes' | 'store'>, { options, directory, progress, signal }: MeasureContext): Promise<OperationRun> {
  const runs = Math.max(1, Math.min(MOST_RUNS[work.store], Math.floor(SAMPLE_BYTES / (work.fileBytes * operationOf(work.operation).files))))
  const warmUpRounds = Math.min(runs === 1 ? WARM_UP_ROUNDS_OF_ONE : WARM_UP_ROUNDS, options.iterations)
  const subjects = options.contenders.map((contender): HeadersSubject => ({
    ...work,
    key: `${work.operation}, ${work.fileBytes} bytes, ${work.store}: ${contender}`,
    flushedBy: work.store === 'disk' ? 'process' : 'nobody',
    contender,
    runs
  }))
  const outcomes = await measureSubjects(subjects, {
    options: { ...options, ...work.fileBytes < SMALL_BELOW_BYTES ? { further: { samples: options.smallSamples, withinMs: MORE_TIMES * options.minTimeMs } } : {} },
    progress,
    signal,
    // the file beside this one when both are compiled
    start: ({ contender }) => startWorker<HeadersWorkerFunctions>(contender, fileURLToPath(new URL('worker.js', import.meta.url)), { signal, timeoutMs: options.timeoutMs }),
    init: async ({ contender }) => ({ ...work, contender, runs, warmUpRounds, directory: await mkdtemp(join(directory, `${contender}-`)) })
  })
  const told: Record<string, unknown> = {}

  const rows = subjects.flatMap(subject => {
    const outcome = outcomes.get(subject.key)

    // an interrupt came first
    if (outcome == null) {
      return []
    }

    if ('failure' in outcome) {
      return emptyRow(subject, 'failed', describeError(outcome.failure))
    }

    told[subject.contender] = outcome.identity.options

    return measuredRow(subject, outcome)
  })

  return { rows, told }
}

function measuredRow (subject: HeadersSubject, outcome: Measured<Checked, TimedSample>): HeadersRow {
  return {
    ...emptyRow(subject, 'ok', null),
    ...figuresOf(outcome),
    durable: false,
    counted: outcome.checked.counted,
    cid: outcome.checked.cid
  }
}

function emptyRow ({ contender, operation, fileBytes, store, runs }: HeadersSubject, status: HeadersRow['status'], reason: string | null): HeadersRow {
  return {
    case: 'headers',
    contender,
    layout: contenderOf(contender).layout,
    version: null,
    operation,
    fileBytes,
    store,
    operations: runs,
    ...unmeasured,
    counted: null,
    status,
    reason
  }
}
