import { median } from 'simple-statistics'
import { describeError } from '../../harness/describe-error.ts'
import { roundsUntilInterrupted } from '../../harness/rounds.ts'
import { stopAll } from '../../harness/stopping.ts'
import { LOOK_UPS, WAYS } from './directories.ts'
import { startCodec } from './start-codec.ts'
import type { CodecContext } from './context.ts'
import type { DirectoryContent } from './directories.ts'
import type { CodecProcess } from './start-codec.ts'

export interface DirectoryWay {
  readonly key: string
  readonly what: string
  /**
   * The median of a sample, for one name; null where it failed
   */
  readonly usPerBlock: number | null
  readonly samples: number
  /**
   * Of each sample, for one name
   */
  readonly rawUs: readonly number[]
  readonly status: 'ok' | 'failed'
  readonly reason?: string
}

export interface DirectoryFigures {
  readonly content: DirectoryContent
  readonly entries: number
  readonly bytes: number
  readonly ways: readonly DirectoryWay[]
}

/**
 * Fewer say nothing about something so short
 */
const LEAST_SAMPLES = 30

/**
 * Times ways of getting one entry out of a directory's block, each in a process
 * of its own, one sample of each in turn. An interrupt leaves the samples so far.
 */
export async function measureDirectory (content: DirectoryContent, context: CodecContext): Promise<DirectoryFigures> {
  const { options: { entries, seed, iterations }, progress, signal } = context
  const what = `a directory block, ${content}`
  const processes = new Map<string, CodecProcess['worker']>()
  const ready: Array<CodecProcess & { readonly way: string }> = []
  const measured: DirectoryWay[] = []
  const failures = new Map<string, unknown>()
  let bytes = 0

  try {
    for (const [way, { codec }] of Object.entries(WAYS)) {
      progress(`${what}: ${way}, looking up for the first time`)

      try {
        const process = await startCodec(codec, context)

        processes.set(way, process.worker)
        bytes = await process.worker.functions.openDirectory(way, content, entries, seed)
        ready.push({ ...process, way })
      } catch (err) {
        signal.throwIfAborted()
        failures.set(way, err)
      }
    }

    const outcomes = await roundsUntilInterrupted(ready.map(({ way, worker }) => ({
      key: way,
      onDisk: false,
      cid: null,
      round: async () => worker.functions.lookUp(),
      stop: async () => worker.stop()
    })), { options: { iterations: Math.max(iterations, LEAST_SAMPLES), minTimeMs: 0 }, signal, progress: line => { progress(`${what}: ${line}`) } })

    for (const [way, outcome] of outcomes) {
      if ('failure' in outcome) {
        failures.set(way, outcome.failure)
      } else {
        measured.push(measuredWay(way, outcome.samples.map(({ ms }) => ms)))
      }
    }
  } finally {
    for (const [way, failure] of await stopAll(processes)) {
      // how it failed first says more, and what an interrupt breaks off did not fail
      if (!signal.aborted) {
        failures.set(way, failures.get(way) ?? failure)
      }
    }
  }

  return {
    content,
    entries,
    bytes,
    ways: Object.keys(WAYS).flatMap(way => failures.has(way) ? failedWay(way, failures.get(way)) : measured.find(({ key }) => key === way) ?? [])
  }
}

function measuredWay (key: string, rawMs: readonly number[]): DirectoryWay {
  const rawUs = rawMs.map(ms => ms * 1000 / LOOK_UPS)

  return { key, what: WAYS[key].what, status: 'ok', usPerBlock: median(rawUs), samples: rawUs.length, rawUs }
}

function failedWay (key: string, failure: unknown): DirectoryWay {
  return { key, what: WAYS[key].what, status: 'failed', reason: describeError(failure), usPerBlock: null, samples: 0, rawUs: [] }
}
