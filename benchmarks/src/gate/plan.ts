/**
 * How long a comparison goes on, and what it has to find
 */
export interface GatePlan {
  /**
   * A slowdown of this share or more is to be found; one of more than half of it
   * fails where it is sure
   */
  readonly found: number
  /**
   * What is seldom true of a row that is not slower, and seldom false of one that is
   */
  readonly looks: readonly GateLook[]
  /**
   * By how many new pairs of processes a row is judged that looked slower every time
   */
  readonly judged: number
  /**
   * Of how many rows, those that look the slowest: the time that this takes has an end
   */
  readonly mostJudged: number
  /**
   * Of the processor's time, for each row in each process: before its clock
   * starts, and of its samples together
   */
  readonly warmMs: number
  readonly measuredMs: number
}

/**
 * After so many pairs of processes, rows are looked at: those that look slower
 * go on, the others are done.
 */
export interface GateLook {
  readonly pairs: number
  /**
   * The most that chance may have to do with it
   */
  readonly doubt: number
  /**
   * How much slower it has to look, as a share of what is to be found
   */
  readonly least: number
}

export type GateSize = 'ci' | 'full'

/**
 * The chance that the rows fail a run though nothing became slower, at most
 */
export const FALSE_ALARMS = 0.001

/**
 * What must not get lost unseen: the full size is made to find it
 */
export const ALLOWED = 0.05

export const gatePlans: Readonly<Record<GateSize, GatePlan>> = {
  ci: {
    found: 2 * ALLOWED,
    looks: [{ pairs: 1, doubt: 0.5, least: 0 }, { pairs: 2, doubt: 0.25, least: 0.25 }, { pairs: 6, doubt: 0.1, least: 0.25 }],
    judged: 20,
    mostJudged: 8,
    warmMs: 150,
    measuredMs: 700
  },
  full: {
    found: ALLOWED,
    looks: [{ pairs: 3, doubt: 0.4, least: 0.1 }, { pairs: 7, doubt: 0.25, least: 0.25 }, { pairs: 16, doubt: 0.1, least: 0.25 }],
    judged: 40,
    mostJudged: 16,
    warmMs: 150,
    measuredMs: 1000
  }
}
