import { TimeLeft } from './time-left.ts'
import type { Journal } from './journal.ts'
import type { Progress } from '../tools/progress.ts'

/**
 * What a run is given from outside
 */
export interface RunContext {
  readonly progress: Progress
  readonly signal: AbortSignal
  readonly journal: Journal
}

/**
 * A piece of a run that is measured whole or not at all
 */
export interface Part<T> {
  /**
   * Its name in the journal, one of its own
   */
  readonly key: string
  /**
   * How long it takes, in relation to the others; 1 where nothing is said
   */
  readonly weight?: number
  /**
   * Its result has to survive being written as JSON. Once the signal is aborted it may
   * rest on fewer samples than were asked for
   */
  measure(progress: Progress): Promise<T>

  /**
   * Whether a result that the journal has still stands; it does where nothing is
   * said
   */
  stands?(kept: T): boolean | Promise<boolean>
}

export interface PartResults<T> {
  readonly results: readonly T[]
  /**
   * Why not all parts are there, or the last one not in full
   */
  readonly interrupted?: string
}

/**
 * Measures one part after the other, and tells how much time is left. What the
 * journal has and what still stands is taken from there; after an interrupt, what was
 * measured so far is answered.
 */
export async function runParts <T> (parts: ReadonlyArray<Part<T>>, { progress, signal, journal }: RunContext): Promise<PartResults<T>> {
  const timeLeft = new TimeLeft(parts.map(({ weight = 1 }) => weight))
  const results: T[] = []
  const interrupted = (): PartResults<T> => ({ results, interrupted: `interrupted with ${results.length} of ${parts.length} parts measured, the last one perhaps not in full` })

  for (const [index, part] of parts.entries()) {
    // it was written by this very function
    const kept = journal.find(part.key) as T | undefined

    if (kept !== undefined && await stillStands(part, kept, signal)) {
      results.push(kept)
      continue
    }

    if (signal.aborted) {
      return interrupted()
    }

    timeLeft.begin(index)

    try {
      results.push(await part.measure(line => { progress([timeLeft.say(), line].filter(text => text !== '').join(': ')) }))
    } catch (err) {
      if (signal.aborted) {
        return interrupted()
      }

      throw err
    }

    if (signal.aborted) {
      return interrupted()
    }

    timeLeft.done()
    await journal.keep(part.key, results.at(-1))
  }

  return { results }
}

async function stillStands <T> (part: Part<T>, kept: T, signal: AbortSignal): Promise<boolean> {
  try {
    return await part.stands?.(kept) !== false
  } catch (err) {
    // what was measured is there, whatever would have been found out
    if (signal.aborted) {
      return true
    }

    throw err
  }
}
