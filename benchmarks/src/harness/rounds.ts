import { flushToDisk } from './flush.ts'
import type { Progress } from '../tools/progress.ts'

/**
 * One timed piece of work, and what came out of it
 */
export interface TimedSample {
  readonly ms: number
  readonly cid: string | null
}

/**
 * A contender that is ready to be timed
 */
export interface Runner<S extends TimedSample> {
  readonly key: string
  readonly onDisk: boolean
  /**
   * The CID that every round has to give, if any
   */
  readonly cid: string | null
  round(): Promise<S>
  stop(): Promise<void>
}

export type Outcome<S extends TimedSample> =
  | { readonly samples: readonly S[] }
  | { readonly failure: unknown }

/**
 * When a row has enough samples: both have to be reached
 */
export interface Enough {
  readonly iterations: number
  readonly minTimeMs: number
}

export interface RoundsContext {
  readonly options: Enough
  readonly progress: Progress
  readonly signal: AbortSignal
}

/**
 * Times the contenders in turn, one round each, until every one has enough
 * samples and time, so that a machine that slows down slows all of them. One
 * that fails drops out, and the others go on.
 */
export async function runRounds <S extends TimedSample> (runners: ReadonlyArray<Runner<S>>, context: RoundsContext): Promise<Map<string, Outcome<S>>> {
  const outcomes = new Map<string, Outcome<S>>()
  const samples = new Map<string, S[]>(runners.map(({ key }) => [key, []]))
  let open = [...runners]

  while (open.length > 0) {
    for (const runner of open) {
      const { key } = runner
      const soFar = samples.get(key) ?? []

      context.signal.throwIfAborted()
      context.progress(`${key}, round ${soFar.length + 1}`)

      try {
        soFar.push(await runRound(runner))
      } catch (failure) {
        context.signal.throwIfAborted()
        outcomes.set(key, { failure })
        // what it may still be doing must not disturb the others; how stopping
        // went is asked for again when all are stopped
        await Promise.allSettled([runner.stop()])
        continue
      }

      if (isEnough(soFar, context.options)) {
        outcomes.set(key, { samples: soFar })
      }
    }

    open = open.filter(({ key }) => !outcomes.has(key))
  }

  return outcomes
}

async function runRound <S extends TimedSample> (runner: Runner<S>): Promise<S> {
  if (runner.onDisk) {
    await flushToDisk()
  }

  const sample = await runner.round()

  if (sample.cid !== runner.cid) {
    throw new Error(`gave ${String(sample.cid)}, and ${String(runner.cid)} when it was verified`)
  }

  return sample
}

function isEnough (samples: readonly TimedSample[], { iterations, minTimeMs }: Enough): boolean {
  return samples.length >= iterations && samples.reduce((sum, { ms }) => sum + ms, 0) >= minTimeMs
}
