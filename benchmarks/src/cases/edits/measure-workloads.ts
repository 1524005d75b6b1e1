import { fileURLToPath } from 'node:url'
import { describeError } from '../../harness/describe-error.ts'
import { figuresOf, unmeasured } from '../../harness/figures.ts'
import { measureSubjects } from '../../harness/measure-subjects.ts'
import { startWorker } from '../../harness/worker-process.ts'
import { editorOf } from './editors/index.ts'
import type { EditsOptions } from './options.ts'
import type { EditWorkerFunctions } from './protocol.ts'
import type { EditRow } from './report.ts'
import type { EditSample, Workload } from './workloads/index.ts'
import type { Measured, Subject } from '../../harness/measure-subjects.ts'
import type { Progress } from '../../tools/progress.ts'

export interface MeasureContext {
  readonly options: EditsOptions
  readonly progress: Progress
  readonly signal: AbortSignal
}

interface EditSubject extends Subject {
  readonly contender: string
  readonly workload: Workload
}

export interface WorkloadRun {
  readonly rows: readonly EditRow[]
  /**
   * What each contender was told, by its key
   */
  readonly told: Readonly<Record<string, unknown>>
}

/**
 * Times every contender with every workload in turn, each in a process of its
 * own, after one round of it was read back.
 */
export async function measureWorkloads (workloads: readonly Workload[], { options, progress, signal }: MeasureContext): Promise<WorkloadRun> {
  const subjects: EditSubject[] = workloads.flatMap(workload => workload.contenders
    .filter(contender => options.contenders.includes(contender))
    .map(contender => ({ key: `${workload.key}: ${contender}`, flushedBy: 'nobody', contender, workload })))

  const outcomes = await measureSubjects(subjects, {
    options,
    progress,
    signal,
    // the file beside this one when both are compiled
    start: ({ contender }) => startWorker<EditWorkerFunctions>(contender, fileURLToPath(new URL('worker.js', import.meta.url)), { signal, timeoutMs: options.timeoutMs }),
    init: ({ contender, workload }) => ({ contender, workload: workload.key, sizes: options })
  })
  const told: Record<string, unknown> = {}

  const rows = subjects.flatMap(subject => {
    const outcome = outcomes.get(subject.key)

    // an interrupt came first
    if (outcome == null) {
      return []
    }

    if ('failure' in outcome) {
      return failedRow(subject, options, describeError(outcome.failure))
    }

    told[subject.contender] = outcome.identity.options

    return measuredRow(subject, options, outcome)
  })

  return { rows, told }
}

function measuredRow (subject: EditSubject, options: EditsOptions, outcome: Measured<{ cid: string }, EditSample>): EditRow {
  return {
    ...emptyRow(subject, options),
    ...figuresOf(outcome),
    durable: false,
    counted: outcome.samples.at(-1)?.counted ?? null,
    cid: outcome.checked.cid,
    status: 'ok',
    reason: null
  }
}

function failedRow (subject: EditSubject, options: EditsOptions, reason: string): EditRow {
  return { ...emptyRow(subject, options), status: 'failed', reason }
}

function emptyRow ({ workload, contender }: EditSubject, options: EditsOptions): Omit<EditRow, 'status' | 'reason'> {
  return {
    case: 'edits',
    contender,
    version: null,
    corpus: workload.describe(options),
    phase: workload.key,
    operations: workload.operations(options),
    ...unmeasured,
    counted: null,
    cidGroup: editorOf(contender).cidGroup
  }
}
