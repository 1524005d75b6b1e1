import { fileURLToPath } from 'node:url'
import { describeError } from '../../harness/describe-error.ts'
import { runRounds } from '../../harness/rounds.ts'
import { statisticsOf } from '../../harness/statistics.ts'
import { startWorker } from '../../harness/worker-process.ts'
import { editorOf } from './editors/index.ts'
import type { EditsOptions } from './options.ts'
import type { EditWorkerFunctions } from './protocol.ts'
import type { EditRow } from './report.ts'
import type { EditSample, Workload } from './workloads/index.ts'
import type { Identity } from '../../harness/protocol.ts'
import type { Outcome } from '../../harness/rounds.ts'
import type { WorkerProcess } from '../../harness/worker-process.ts'
import type { Progress } from '../../tools/progress.ts'

export interface MeasureContext {
  readonly options: EditsOptions
  readonly progress: Progress
  readonly signal: AbortSignal
}

interface Subject {
  /**
   * One for each contender and workload
   */
  readonly key: string
  readonly contender: string
  readonly workload: Workload
}

interface Started extends Subject {
  readonly worker: WorkerProcess<EditWorkerFunctions>
  readonly identity: Identity
  readonly cid: string
}

export interface WorkloadRun {
  readonly rows: readonly EditRow[]
  /**
   * What each contender was told, by its key
   */
  readonly told: Readonly<Record<string, unknown>>
}

/**
 * Has every contender do one round of every workload and reads back what it left,
 * then times those that did it rightly in turn, each in a process of its own.
 */
export async function measureWorkloads (workloads: readonly Workload[], { options, progress, signal }: MeasureContext): Promise<WorkloadRun> {
  const subjects: Subject[] = workloads.flatMap(workload => workload.contenders
    .filter(contender => options.contenders.includes(contender))
    .map(contender => ({ key: `${workload.key}: ${contender}`, contender, workload })))
  const workers = new Map<string, WorkerProcess<EditWorkerFunctions>>()
  const rows = new Map<string, EditRow>()
  const started: Started[] = []

  const fail = (subject: Subject, err: unknown): void => {
    signal.throwIfAborted()
    rows.set(subject.key, failedRow(subject, options, describeError(err)))
  }

  try {
    for (const subject of subjects) {
      const { key, contender, workload } = subject

      progress(`${key}, verifying what it stores`)

      // the file beside this one when both are compiled
      const worker = startWorker<EditWorkerFunctions>(contender, fileURLToPath(new URL('worker.js', import.meta.url)), { signal, timeoutMs: options.timeoutMs })

      workers.set(key, worker)

      try {
        const identity = await worker.functions.open({ contender, workload: workload.key, sizes: options })

        started.push({ ...subject, worker, identity, cid: await worker.functions.check() })
      } catch (err) {
        fail(subject, err)
      }
    }

    const outcomes = await runRounds(started.map(({ key, worker, cid }) => ({
      key,
      onDisk: false,
      cid,
      round: async () => worker.functions.round(),
      stop: async () => worker.stop()
    })), { options, signal, progress })

    for (const subject of started) {
      const outcome = outcomes.get(subject.key)

      if (outcome == null || 'failure' in outcome) {
        fail(subject, outcome?.failure)
      } else {
        rows.set(subject.key, measuredRow(subject, options, outcome, await subject.worker.functions.peakMemory()))
      }
    }
  } finally {
    await Promise.allSettled([...workers.values()].map(async worker => worker.stop()))
  }

  return {
    rows: subjects.flatMap(({ key }) => rows.get(key) ?? []),
    told: Object.fromEntries(started.map(({ contender, identity }) => [contender, identity.options]))
  }
}

function measuredRow ({ workload, contender, identity, cid }: Started, options: EditsOptions, { samples }: Extract<Outcome<EditSample>, { samples: unknown }>, maxRssBytes: number): EditRow {
  const rawMs = samples.map(({ ms }) => ms)

  return {
    ...emptyRow(workload, contender, options),
    version: identity.version,
    durable: false,
    samples: rawMs.length,
    rawMs,
    ...statisticsOf(rawMs),
    maxRssBytes,
    counted: samples.at(-1)?.counted ?? null,
    cid,
    status: 'ok',
    reason: null
  }
}

function failedRow ({ workload, contender }: Subject, options: EditsOptions, reason: string): EditRow {
  return { ...emptyRow(workload, contender, options), status: 'failed', reason }
}

function emptyRow (workload: Workload, contender: string, options: EditsOptions): Omit<EditRow, 'status' | 'reason'> {
  return {
    case: 'edits',
    contender,
    version: null,
    corpus: workload.describe(options),
    phase: workload.key,
    operations: workload.operations(options),
    durable: null,
    samples: 0,
    rawMs: [],
    opsPerSec: null,
    msPerOp: null,
    p50: null,
    p95: null,
    p99: null,
    maxRssBytes: null,
    counted: null,
    cid: null,
    cidGroup: editorOf(contender).cidGroup
  }
}
