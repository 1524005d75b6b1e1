/**
 * How long a comparison goes on, and what it has to find
 */
export interface GatePlan {
  /**
   * A slowdown of this share or more is to be found; one of more than half of it
   * fails where it is sure
   */
  readonly found: number
  readonly stages: readonly GateStage[]
  /**
   * Of the processor's time, for each row in each process: before its clock
   * starts, and of its samples together
   */
  readonly warmMs: number
  readonly measuredMs: number
}

/**
 * After so many pairs of processes, rows that look slower go on to the next
 * stage, or are judged after the last one. The others are done.
 */
export interface GateStage {
  readonly pairs: number
  /**
   * The most that chance may have to do with it
   */
  readonly doubt: number
}

export type GateSize = 'ci' | 'full'

/**
 * The chance that the rows fail a run though nothing became slower, at most; and
 * again that the ratios to other systems do, where these are measured
 */
export const FALSE_ALARMS = 0.01

/**
 * What must not get lost unseen: the full size is made to find it
 */
export const ALLOWED = 0.05

export const gatePlans: Readonly<Record<GateSize, GatePlan>> = {
  ci: { found: 2 * ALLOWED, stages: [{ pairs: 3, doubt: 0.25 }, { pairs: 8, doubt: 0.05 }, { pairs: 18, doubt: 1 }], warmMs: 60, measuredMs: 240 },
  full: { found: ALLOWED, stages: [{ pairs: 12, doubt: 0.1 }, { pairs: 24, doubt: 0.02 }, { pairs: 48, doubt: 1 }], warmMs: 150, measuredMs: 300 }
}
