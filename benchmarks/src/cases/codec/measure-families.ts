import { median } from 'simple-statistics'
import { describeError } from '../../harness/describe-error.ts'
import { rawTimes } from '../../harness/raw-times.ts'
import { roundsUntilInterrupted } from '../../harness/rounds.ts'
import { stopAll } from '../../harness/stopping.ts'
import { startCodec } from './start-codec.ts'
import type { CodecContext } from './context.ts'
import type { Prepared } from './protocol.ts'
import type { Direction, FamilyRow } from './report.ts'
import type { CodecProcess } from './start-codec.ts'

type Subject = Pick<FamilyRow, 'family' | 'codec' | 'version' | 'direction'>

/**
 * Has each codec, in a process of its own, encode and decode the same values of a
 * family, one sample of each in turn. An interrupt leaves the samples so far.
 */
export async function measureFamily (family: string, context: CodecContext): Promise<FamilyRow[]> {
  const { options: { codecs, values, seed }, progress, signal } = context
  const processes = new Map<string, CodecProcess>()
  const ready: Array<CodecProcess & { prepared: Prepared }> = []
  const rows: FamilyRow[] = []
  let unstopped: Map<string, unknown>

  try {
    for (const codec of codecs) {
      progress(`${family}: ${codec}, checking what it encodes`)

      try {
        const process = await startCodec(codec, context)

        processes.set(codec, process)
        ready.push({ ...process, prepared: await process.worker.functions.prepare(family, values, seed) })
      } catch (err) {
        signal.throwIfAborted()

        const version = processes.get(codec)?.version

        rows.push(...(['encode', 'decode'] as const).map(direction => failedRow({ family, codec, version, direction }, err)))
      }
    }

    for (const direction of ['encode', 'decode'] as const) {
      rows.push(...await measureDirection(family, direction, ready, context))
    }
  } finally {
    unstopped = await stopAll(Array.from(processes, ([codec, { worker }]) => [codec, worker]))
  }

  return rows.map(row => {
    const { codec, version, direction } = row

    // how it failed first says more, and what an interrupt breaks off did not fail
    return row.status === 'ok' && unstopped.has(codec) && !signal.aborted ? failedRow({ family, codec, version, direction }, unstopped.get(codec)) : row
  })
}

async function measureDirection (family: string, direction: Direction, ready: ReadonlyArray<CodecProcess & { prepared: Prepared }>, { options, progress, signal }: CodecContext): Promise<FamilyRow[]> {
  const outcomes = await roundsUntilInterrupted(ready.map(({ key, worker, prepared }) => ({
    key,
    onDisk: false,
    cid: prepared.digest,
    round: async () => worker.functions[direction](),
    stop: async () => worker.stop()
  })), { options, signal, progress: line => { progress(`${family}, ${direction}: ${line}`) } })

  return ready.flatMap(({ key, version, prepared }): FamilyRow | [] => {
    const outcome = outcomes.get(key)
    const subject = { family, codec: key, version, direction }

    // an interrupt came before its first sample
    if (outcome == null) {
      return []
    }

    if ('failure' in outcome) {
      return failedRow(subject, outcome.failure)
    }

    const times = rawTimes(outcome.samples)

    return {
      case: 'codec',
      ...subject,
      status: 'ok',
      averageBytes: prepared.bytes / options.values,
      digest: prepared.digest,
      ...times,
      // of the median, since one pause of the garbage collector is longer than a sample
      opsPerSec: options.values * 1000 / median(times.rawMs)
    }
  })
}

function failedRow (subject: Subject, err: unknown): FamilyRow {
  return { case: 'codec', ...subject, status: 'failed', reason: describeError(err), samples: 0, rawMs: [] }
}
