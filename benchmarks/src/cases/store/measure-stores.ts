import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeError } from '../../harness/describe-error.ts'
import { figuresOf, unmeasured } from '../../harness/figures.ts'
import { measureSubjects } from '../../harness/measure-subjects.ts'
import { thenStopped } from '../../harness/stopping.ts'
import { startWorker } from '../../harness/worker-process.ts'
import type { StoreOptions } from './options.ts'
import type { ContenderKey, PhaseKey, StoreWorkerFunctions, StoreWorkerInit } from './protocol.ts'
import type { StoreRow } from './report.ts'
import type { Subject } from '../../harness/measure-subjects.ts'
import type { Identity } from '../../harness/protocol.ts'
import type { TimedSample } from '../../harness/rounds.ts'
import type { WorkerProcess } from '../../harness/worker-process.ts'
import type { Progress } from '../../tools/progress.ts'

export interface StoreContext {
  readonly options: StoreOptions
  readonly progress: Progress
  readonly signal: AbortSignal
}

interface StoreSubject extends Subject {
  readonly contender: ContenderKey
  readonly phase: PhaseKey
  readonly blocks: number
  readonly operations: number
}

interface Result {
  readonly identity: Identity
  readonly samples: readonly TimedSample[]
  readonly peakBytes: number | null
}

export interface StoresMeasured {
  readonly rows: readonly StoreRow[]
  /**
   * What each contender was told, by its key
   */
  readonly told: Readonly<Record<string, unknown>>
}

/**
 * Fills every store once, in a process of its own, and then times in turn what is
 * done with them, each in another one.
 */
export async function measureStores (directory: string, context: StoreContext): Promise<StoresMeasured> {
  const { options, signal, progress } = context
  const { blocks, fewer, fsBlocks, gets } = options
  const subject = (contender: ContenderKey, phase: PhaseKey, count: number, operations: number): StoreSubject =>
    ({ key: `${contender}, ${phase} of ${count}`, flushedBy: 'parent', contender, phase, blocks: count, operations })
  const fills = [subject('dagfs-pack', 'fill', blocks, blocks), subject('dagfs-pack', 'fill', fewer, fewer), subject('blockstore-fs', 'fill', fsBlocks, fsBlocks)]
  const timed = [
    subject('dagfs-pack', 'get', blocks, gets),
    subject('dagfs-pack', 'get', fewer, gets),
    subject('blockstore-fs', 'get', fsBlocks, gets),
    subject('dagfs-pack', 'open', blocks, 1),
    subject('dagfs-pack', 'scan', blocks, blocks)
  ]
  const told: Record<string, unknown> = {}
  const rows: StoreRow[] = []

  for (const filled of fills) {
    progress(filled.key)
    rows.push(await fillStore(filled, directory, context))
  }

  const outcomes = await measureSubjects(timed, {
    options,
    progress,
    signal,
    start: started => startStore(started, context),
    init: started => initOf(started, directory, options)
  })

  for (const measured of timed) {
    const outcome = outcomes.get(measured.key)

    if (outcome != null && 'identity' in outcome) {
      told[measured.contender] = outcome.identity.options
      rows.push(measuredRow(measured, options, outcome))
    } else if (outcome != null) {
      rows.push(failedRow(measured, options, outcome.failure))
    }
  }

  return { rows, told }
}

async function fillStore (filled: StoreSubject, directory: string, context: StoreContext): Promise<StoreRow> {
  const { options, signal } = context
  const worker = startStore(filled, context)

  try {
    return await thenStopped(worker, async () => {
      const identity = await worker.functions.open(initOf(filled, directory, options))
      const sample = await worker.functions.round()

      return measuredRow(filled, options, { identity, samples: [sample], peakBytes: await worker.functions.peakMemory() })
    })
  } catch (err) {
    signal.throwIfAborted()

    return failedRow(filled, options, err)
  }
}

function startStore ({ key }: StoreSubject, { signal, options }: StoreContext): WorkerProcess<StoreWorkerFunctions> {
  // the file beside this one when both are compiled
  return startWorker<StoreWorkerFunctions>(key, fileURLToPath(new URL('worker.js', import.meta.url)), { signal, timeoutMs: options.timeoutMs })
}

function initOf ({ contender, phase, blocks }: StoreSubject, directory: string, { blockBytes, gets }: StoreOptions): StoreWorkerInit {
  return { contender, phase, directory: join(directory, `${contender}-${blocks}`), blocks, blockBytes, gets }
}

function measuredRow (subject: StoreSubject, options: StoreOptions, result: Result): StoreRow {
  return {
    ...emptyRow(subject, options),
    ...figuresOf(result),
    durable: subject.phase === 'fill' ? subject.contender === 'dagfs-pack' : null,
    cid: result.samples.at(-1)?.cid ?? null,
    status: 'ok',
    reason: null
  }
}

function failedRow (subject: StoreSubject, options: StoreOptions, failure: unknown): StoreRow {
  return { ...emptyRow(subject, options), status: 'failed', reason: describeError(failure) }
}

function emptyRow ({ contender, phase, blocks, operations }: StoreSubject, { blockBytes }: StoreOptions): Omit<StoreRow, 'status' | 'reason'> {
  return {
    ...unmeasured,
    case: 'store',
    contender,
    version: null,
    corpus: `${blocks.toLocaleString('en-US')} blocks of ${blockBytes.toLocaleString('en-US')} bytes`,
    blocks,
    phase,
    operations
  }
}
