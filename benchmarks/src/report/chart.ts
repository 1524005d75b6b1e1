import type { Machine } from '../harness/machine.ts'
import type { Made } from '../harness/made.ts'
import type { Column } from '../harness/markdown.ts'

/**
 * What every case writes with `--json`, at least
 */
export interface CaseReport {
  readonly case: string
  readonly machine: Machine
  /**
   * What the run was told; how many samples a row has at least is under
   * `iterations`
   */
  readonly options: object
  /**
   * How it came to be; the command that ran the case says it
   */
  readonly made?: Made
  /**
   * Why not everything was measured that should have been; absent where it was
   */
  readonly interrupted?: string
}

/**
 * What a page shows of one case, or of one part of it. Cases make them of a
 * report alone: no clock, no disk, no network, so that the same report always
 * gives the same page.
 */
export interface Section {
  readonly title: string
  /**
   * What was measured and how it is read, in a sentence or two that need no
   * knowledge of the source
   */
  readonly shows: string
  /**
   * What the figures rest on, as pairs of a word and what it is: versions,
   * options, durability. The machine stands there by itself
   */
  readonly conditions: ReadonlyArray<readonly [string, string]>
  readonly charts: readonly Chart[]
  readonly tables: readonly ReportTable[]
  /**
   * What has to be known, and what was found, a sentence each
   */
  readonly notes: readonly string[]
  readonly unavailable: readonly Unavailable[]
}

/**
 * What was to be measured, and was not
 */
export interface Unavailable {
  readonly what: string
  readonly reason: string
}

export interface Chart {
  readonly title: string
  /**
   * What the axes are, which way is better, and what to see, for somebody who
   * reads nothing else
   */
  readonly caption: string
  /**
   * What the figures rest on: how many samples, which statistic, what was synced
   */
  readonly basis: string
  readonly spec: ChartSpec
  /**
   * The same figures for those who cannot see the chart
   */
  readonly table: ReportTable
  /**
   * The name under which a README shows the chart, without
   * theme and ending; absent where it shows it not
   */
  readonly picture?: string
}

/**
 * A specification in vega-lite of one view, or of one with layers, with its
 * data in it. It has neither width nor colours: a page sets both, and every chart is 360
 * units wide, which is a phone's width. It cannot be of facets or concatenated
 * views, for which several charts are given instead.
 */
export type ChartSpec = Readonly<Record<string, unknown>>

/**
 * A table whose cells are text already
 */
export interface ReportTable {
  readonly title: string
  readonly columns: ReadonlyArray<{ readonly title: string, readonly align: 'left' | 'right' }>
  readonly rows: ReadonlyArray<readonly string[]>
}

/**
 * Makes the table that `markdownTable` would write of the same columns.
 */
export function reportTable <T> (title: string, columns: ReadonlyArray<Column<T>>, rows: readonly T[]): ReportTable {
  return {
    title,
    columns: columns.map(({ title, align = 'right' }) => ({ title, align })),
    rows: rows.map(row => columns.map(({ cell }) => cell(row)))
  }
}
