import { describeError } from './describe-error.ts'
import { flushToDisk } from './flush.ts'
import { roundsUntilInterrupted } from './rounds.ts'
import { timeRun } from './time-run.ts'
import type { RunContext } from './parts.ts'

/**
 * Work that is timed in turn with other work, all in this process
 */
export interface TimedPhase {
  readonly key: string

  /**
   * What comes before, and is not timed
   */
  prepare(): Promise<void>

  /**
   * What is timed; throws where what it did is not what it should have done
   */
  run(): Promise<void>
}

/**
 * What became of a phase: the milliseconds of each sample, or why there are none
 */
export type PhaseOutcome = { readonly rawMs: readonly number[] } | { readonly reason: string }

/**
 * Times each phase so many times, one after the other in every round and always
 * in this order, since some go on from what the one before left. What others
 * wrote is on the disk before a phase prepares. A phase that fails does not come
 * again, and the others go on. After an interrupt there are fewer samples.
 */
export async function timePhases (phases: readonly TimedPhase[], iterations: number, { progress, signal }: Pick<RunContext, 'progress' | 'signal'>): Promise<Map<string, PhaseOutcome>> {
  const outcomes = await roundsUntilInterrupted(phases.map(phase => ({
    key: phase.key,
    onDisk: false,
    cid: null,
    async round () {
      await flushToDisk()
      await phase.prepare()

      const { ms } = await timeRun(async () => phase.run())

      return { ms, cid: null }
    },
    stop: async () => {}
  })), { options: { iterations, minTimeMs: 0 }, progress, signal, keepsOrder: true })

  return new Map(phases.map(({ key }): [string, PhaseOutcome] => {
    const outcome = outcomes.get(key)

    return [key, outcome != null && 'failure' in outcome ? { reason: describeError(outcome.failure) } : { rawMs: outcome?.samples.map(({ ms }) => ms) ?? [] }]
  }))
}
