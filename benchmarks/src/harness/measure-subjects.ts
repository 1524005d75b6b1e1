import { roundsUntilInterrupted } from './rounds.ts'
import { stopAll } from './stopping.ts'
import type { Identity } from './protocol.ts'
import type { RoundsContext, TimedSample } from './rounds.ts'

/**
 * A contender and one piece of work, which a process of its own does
 */
export interface Subject {
  /**
   * Another one for each subject of a run
   */
  readonly key: string
  /**
   * Who has the system write out what was left unwritten, so that it pays for nobody else's: its parent before each round,
   * or its own process in the round, behind what it prepares there. What works in memory needs nobody
   */
  readonly flushedBy: 'parent' | 'process' | 'nobody'
}

/**
 * What a process does for its parent: it makes itself ready, does one round and
 * reads back what that left, and then does rounds by the clock
 */
export interface SubjectFunctions<Init, Checked extends { readonly cid: string }, Sample extends TimedSample> {
  open(init: Init): Promise<Identity>
  check(): Promise<Checked>
  round(): Promise<Sample>
  peakMemory(): Promise<number>
}

export interface SubjectContext<T extends Subject, Init, Checked extends { readonly cid: string }, Sample extends TimedSample> extends RoundsContext {
  /**
   * Starts a subject's process
   */
  start(subject: T): { readonly functions: SubjectFunctions<Init, Checked, Sample>, stop(): Promise<void> }
  init(subject: T): Promise<Init> | Init
}

export interface Measured<Checked, Sample> {
  readonly identity: Identity
  readonly checked: Checked
  readonly samples: readonly Sample[]
  /**
   * Unknown after an interrupt
   */
  readonly peakBytes: number | null
}

export type SubjectOutcome<Checked, Sample> = Measured<Checked, Sample> | { readonly failure: unknown }

/**
 * Has every subject do one round and reads back what it left, then times those
 * that did it rightly in turn. One that fails, if only at stopping, has its
 * failure, and the others go on. What an interrupt breaks off has the samples so far, or no outcome.
 */
export async function measureSubjects <T extends Subject, Init, Checked extends { readonly cid: string }, Sample extends TimedSample> (subjects: readonly T[], context: SubjectContext<T, Init, Checked, Sample>): Promise<Map<string, SubjectOutcome<Checked, Sample>>> {
  const { progress, signal } = context
  const workers = new Map<string, ReturnType<typeof context.start>>()
  const ready: Array<{ subject: T, functions: SubjectFunctions<Init, Checked, Sample>, identity: Identity, checked: Checked }> = []
  const outcomes = new Map<string, SubjectOutcome<Checked, Sample>>()

  const fail = (key: string, failure: unknown): void => {
    const outcome = outcomes.get(key)

    // what an interrupt breaks off did not fail, and how one failed first says the most
    if (!signal.aborted && (outcome == null || !('failure' in outcome))) {
      outcomes.set(key, { failure })
    }
  }
  const attempt = async (key: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      fail(key, failure)
    }
  }

  try {
    for (const subject of subjects) {
      if (signal.aborted) {
        break
      }

      progress(`${subject.key}, verifying what it stores`)

      const worker = context.start(subject)

      workers.set(subject.key, worker)

      await attempt(subject.key, async () => {
        const identity = await worker.functions.open(await context.init(subject))

        ready.push({ subject, functions: worker.functions, identity, checked: await worker.functions.check() })
      })
    }

    const timed = await roundsUntilInterrupted(ready.map(({ subject, functions, checked }) => ({
      key: subject.key,
      onDisk: subject.flushedBy === 'parent',
      cid: checked.cid,
      round: async () => functions.round(),
      stop: async () => workers.get(subject.key)?.stop()
    })), context)

    for (const { subject: { key }, functions, identity, checked } of ready) {
      await attempt(key, async () => {
        const outcome = timed.get(key)

        if (outcome == null || 'failure' in outcome) {
          throw outcome?.failure
        }

        outcomes.set(key, { identity, checked, samples: outcome.samples, peakBytes: signal.aborted ? null : await functions.peakMemory() })
      })
    }
  } finally {
    for (const [key, failure] of await stopAll(workers)) {
      fail(key, failure)
    }
  }

  return outcomes
}
