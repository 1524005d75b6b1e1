import { mean } from 'simple-statistics'
import { flushToDisk } from './flush.ts'
import { inTurn } from './in-turn.ts'
import { sayDuration } from './time-left.ts'
import type { Progress } from '../tools/progress.ts'

/**
 * One timed piece of work, and what came out of it
 */
export interface TimedSample {
  readonly ms: number
  readonly cid: string | null
  /**
   * In which round it was taken, from 0
   */
  readonly round?: number
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
  /**
   * What a row that has enough goes on for: this many samples, as far as they
   * come within this time of all of them
   */
  readonly further?: { readonly samples: number, readonly withinMs: number }
}

export interface RoundsContext {
  readonly options: Enough
  readonly progress: Progress
  readonly signal: AbortSignal
  /**
   * Whether each finds what the one before it left, so that every round has the order that is given. Default: false
   */
  readonly keepsOrder?: boolean
}

/**
 * Times the contenders in turn, until every one has enough samples and time, so
 * that a machine that slows down slows all of them. Who is quick, and so needs
 * more samples, takes several in every round: all of them go through as many
 * rounds. One that fails drops out, and the others go on. After an interrupt it answers what
 * it has: fewer samples than were asked for, and nothing of those that have none.
 */
export async function roundsUntilInterrupted <S extends TimedSample> (runners: ReadonlyArray<Runner<S>>, context: RoundsContext): Promise<Map<string, Outcome<S>>> {
  const { options, progress, signal, keepsOrder = false } = context
  const outcomes = new Map<string, Outcome<S>>()
  const samples = new Map<string, S[]>(runners.map(({ key }) => [key, []]))
  const samplesOf = ({ key }: Runner<S>): S[] => samples.get(key) ?? []
  let open = [...runners]

  for (let round = 0; !open.every(runner => isEnough(samplesOf(runner), options)) && !signal.aborted; round++) {
    const left = roundsWanted(open.map(samplesOf), options) - round

    for (const runner of keepsOrder ? open : inTurn(open, round)) {
      const { key } = runner
      const soFar = samplesOf(runner)
      const before = soFar.length

      try {
        do {
          progress(`${key}, sample ${soFar.length + 1}${sayLeft(open.map(samplesOf), options)}`)
          soFar.push({ ...await takeSample(runner), round })
        } while (!signal.aborted && soFar.length < before + dueInRound(before, left, soFar, options))
      } catch (failure) {
        if (signal.aborted) {
          break
        }

        outcomes.set(key, { failure })
        // what it may still be doing must not disturb the others; how stopping
        // went is asked for again when all are stopped
        await Promise.allSettled([runner.stop()])
        continue
      }

      if (signal.aborted) {
        break
      }
    }

    open = open.filter(({ key }) => !outcomes.has(key))
  }

  for (const runner of open) {
    if (samplesOf(runner).length > 0) {
      outcomes.set(runner.key, { samples: samplesOf(runner) })
    }
  }

  return outcomes
}

async function takeSample <S extends TimedSample> (runner: Runner<S>): Promise<S> {
  if (runner.onDisk) {
    await flushToDisk()
  }

  const sample = await runner.round()

  if (sample.cid !== runner.cid) {
    throw new Error(`gave ${String(sample.cid)}, and ${String(runner.cid)} when it was verified`)
  }

  return sample
}

function isEnough (samples: readonly TimedSample[], { iterations, minTimeMs, further = { samples: 0, withinMs: 0 } }: Enough): boolean {
  const ms = samples.reduce((sum, sample) => sum + sample.ms, 0)

  return samples.length >= iterations && ms >= minTimeMs && (samples.length >= further.samples || ms >= further.withinMs)
}

/**
 * How many rounds there are to be. Where rows go on for more samples than the least number, one is in every round of the row
 * that wants the fewest, which nobody knows before all of them have some.
 */
function roundsWanted (rows: ReadonlyArray<readonly TimedSample[]>, options: Enough): number {
  if (options.further == null) {
    return options.iterations
  }

  return rows.some(({ length }) => length === 0) ? Infinity : Math.floor(Math.min(...rows.map(samples => wantedSamples(samples, options))))
}

/**
 * A row's share in one of the rounds that are left, by how long the samples took that it has
 */
function dueInRound (before: number, left: number, samples: readonly TimedSample[], options: Enough): number {
  return isEnough(samples, options) ? 0 : (wantedSamples(samples, options) - before) / Math.max(1, left)
}

function wantedSamples (samples: readonly TimedSample[], { iterations, minTimeMs, further = { samples: 0, withinMs: 0 } }: Enough): number {
  const each = mean(samples.map(({ ms }) => ms))

  return Math.max(iterations, minTimeMs / each, Math.min(further.samples, further.withinMs / each))
}

/**
 * What those that are not through need by their own samples; nothing before
 * every one has one
 */
function sayLeft (open: ReadonlyArray<readonly TimedSample[]>, options: Enough): string {
  if (open.some(({ length }) => length === 0)) {
    return ''
  }

  const left = open.map(samples => Math.max(0, wantedSamples(samples, options) - samples.length) * mean(samples.map(({ ms }) => ms)))

  return `, ${sayDuration(left.reduce((sum, ms) => sum + ms, 0))} of rounds left`
}
