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
 * Times each phase so many times, one after the other in every round, and answers
 * the milliseconds of each by its key. What others wrote is on the disk before a
 * phase prepares. After an interrupt there are fewer.
 *
 * @throws {Error} where a phase fails, with its key
 */
export async function timePhases (phases: readonly TimedPhase[], iterations: number, { progress, signal }: Pick<RunContext, 'progress' | 'signal'>): Promise<Map<string, readonly number[]>> {
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
  })), { options: { iterations, minTimeMs: 0 }, progress, signal })

  return new Map(phases.map(({ key }) => {
    const outcome = outcomes.get(key)

    if (outcome != null && 'failure' in outcome) {
      throw new Error(`${key} failed: ${describeError(outcome.failure)}`, { cause: outcome.failure })
    }

    return [key, outcome?.samples.map(({ ms }) => ms) ?? []]
  }))
}
