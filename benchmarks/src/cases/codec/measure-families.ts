import { median } from 'simple-statistics'
import { describeError } from '../../harness/describe-error.ts'
import { runRounds } from '../../harness/rounds.ts'
import { startCodec } from './start-codec.ts'
import type { CodecOptions } from './options.ts'
import type { Prepared } from './protocol.ts'
import type { Direction, FamilyRow } from './report.ts'
import type { CodecProcess } from './start-codec.ts'
import type { Progress } from '../../tools/progress.ts'

export interface CodecContext {
  readonly options: CodecOptions
  readonly progress: Progress
  readonly signal: AbortSignal
}

type Subject = Pick<FamilyRow, 'family' | 'codec' | 'version' | 'direction'>

/**
 * Has each codec, in a process of its own, encode and decode the same values,
 * one sample of each in turn.
 */
export async function measureFamilies (context: CodecContext): Promise<FamilyRow[]> {
  const { options } = context
  const processes: CodecProcess[] = []
  const rows: FamilyRow[] = []

  try {
    for (const key of options.codecs) {
      processes.push(await startCodec(key, context))
    }

    for (const family of options.families) {
      rows.push(...await measureFamily(family, processes, context))
    }
  } finally {
    await Promise.allSettled(processes.map(async ({ worker }) => worker.stop()))
  }

  return rows
}

async function measureFamily (family: string, processes: readonly CodecProcess[], context: CodecContext): Promise<FamilyRow[]> {
  const { options: { values, seed }, progress, signal } = context
  const ready: Array<CodecProcess & { prepared: Prepared }> = []
  const rows: FamilyRow[] = []

  for (const process of processes) {
    progress(`${family}: ${process.key}, checking what it encodes`)

    try {
      ready.push({ ...process, prepared: await process.worker.functions.prepare(family, values, seed) })
    } catch (err) {
      signal.throwIfAborted()
      rows.push(...(['encode', 'decode'] as const).map(direction => failedRow({ family, codec: process.key, version: process.version, direction }, err)))
    }
  }

  for (const direction of ['encode', 'decode'] as const) {
    rows.push(...await measureDirection(family, direction, ready, context))
  }

  return rows
}

async function measureDirection (family: string, direction: Direction, ready: ReadonlyArray<CodecProcess & { prepared: Prepared }>, { options, progress, signal }: CodecContext): Promise<FamilyRow[]> {
  const outcomes = await runRounds(ready.map(({ key, worker, prepared }) => ({
    key,
    onDisk: false,
    cid: prepared.digest,
    round: async () => worker.functions[direction](),
    stop: async () => worker.stop()
  })), { options, signal, progress: line => { progress(`${family}, ${direction}: ${line}`) } })

  return ready.map(({ key, version, prepared }): FamilyRow => {
    const outcome = outcomes.get(key)
    const subject = { family, codec: key, version, direction }

    if (outcome == null || 'failure' in outcome) {
      return failedRow(subject, outcome?.failure)
    }

    const rawMs = outcome.samples.map(({ ms }) => ms)

    return {
      case: 'codec',
      ...subject,
      status: 'ok',
      averageBytes: prepared.bytes / options.values,
      digest: prepared.digest,
      samples: rawMs.length,
      rawMs,
      // of the median, since one pause of the garbage collector is longer than a sample
      opsPerSec: options.values * 1000 / median(rawMs)
    }
  })
}

function failedRow (subject: Subject, err: unknown): FamilyRow {
  return { case: 'codec', ...subject, status: 'failed', reason: describeError(err), samples: 0, rawMs: [] }
}
