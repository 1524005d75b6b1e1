import { flushToDisk } from '../../harness/flush.ts'
import type { AddDirOptions } from './options.ts'
import type { ContenderProcess } from '../../harness/contender-process.ts'
import type { Phase, Sample } from '../../harness/measure.ts'
import type { Progress } from '../../tools/progress.ts'

export interface Runner {
  readonly process: ContenderProcess
  readonly onDisk: boolean
  /**
   * The CID that every add has to give
   */
  readonly cid: string
}

export type Outcome =
  | { readonly samples: readonly Sample[] }
  | { readonly failure: unknown }

export interface RoundsContext {
  readonly directory: string
  readonly phase: Phase
  readonly options: Pick<AddDirOptions, 'iterations' | 'minTimeMs'>
  readonly progress: Progress
  readonly signal: AbortSignal
}

/**
 * Times the contenders in turn, one add each, until every one has enough
 * samples and time, so that a machine that slows down slows all of them. One
 * that fails drops out, and the others go on.
 */
export async function runRounds (runners: readonly Runner[], context: RoundsContext): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const samples = new Map<string, Sample[]>(runners.map(({ process }) => [process.key, []]))
  let open = [...runners]

  while (open.length > 0) {
    for (const runner of open) {
      const { key } = runner.process
      const soFar = samples.get(key) ?? []

      context.signal.throwIfAborted()
      context.progress(`${key}, round ${soFar.length + 1}`)

      try {
        soFar.push(await runRound(runner, context))
      } catch (failure) {
        context.signal.throwIfAborted()
        outcomes.set(key, { failure })
        // what it may still be doing must not disturb the others; how stopping
        // went is asked for again when all are stopped
        await Promise.allSettled([runner.process.stop()])
        continue
      }

      if (isEnough(soFar, context.options)) {
        outcomes.set(key, { samples: soFar })
      }
    }

    open = open.filter(({ process }) => !outcomes.has(process.key))
  }

  return outcomes
}

async function runRound ({ process, onDisk, cid }: Runner, { directory, phase }: RoundsContext): Promise<Sample> {
  if (onDisk) {
    await flushToDisk()
  }

  const sample = await process.functions.round(directory, phase)

  if (sample.cid !== cid) {
    throw new Error(`gave ${sample.cid}, and ${cid} when it was verified`)
  }

  return sample
}

function isEnough (samples: readonly Sample[], { iterations, minTimeMs }: RoundsContext['options']): boolean {
  return samples.length >= iterations && samples.reduce((sum, { ms }) => sum + ms, 0) >= minTimeMs
}
