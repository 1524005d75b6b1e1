import type { Inserts, Spread } from './spread.ts'

/**
 * Where the boundaries of a directory fall, and what inserts into it write
 */
export interface BoundaryRow {
  readonly entries: number
  readonly content: 'linked' | 'inlined'
  readonly rule: string
  /**
   * From the leaves up
   */
  readonly blocksPerLevel: readonly number[]
  readonly leafBytes: Spread
  readonly inserts: Inserts
  /**
   * Of each build, the entries' making included; none for a rule that is only
   * compared
   */
  readonly buildMs: readonly number[]
  readonly usPerEntry?: number
}
