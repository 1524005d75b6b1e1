import type { Fit } from './fit-exponent.ts'
import type { GrowthOptions } from './options.ts'
import type { CaseReport } from '../../report/chart.ts'
import type { CidEquality, LeftOut } from '../add-dir/cid-equality.ts'
import type { Row } from '../add-dir/row.ts'

/**
 * One contender and size, as a row of add-dir's
 */
export type GrowthRow = Omit<Row, 'case'> & { readonly case: 'growth' }

export interface ContenderFit extends Fit {
  readonly contender: string
}

/**
 * What `--json` writes
 */
export interface GrowthReport extends CaseReport {
  readonly schema: 1
  readonly case: 'growth'
  readonly options: GrowthOptions & {
    /**
     * What each contender was told, by its key
     */
    readonly told: Readonly<Record<string, unknown>>
  }
  readonly rows: readonly GrowthRow[]
  /**
   * Who could not carry which tree
   */
  readonly leftOut: readonly LeftOut[]
  readonly fits: readonly ContenderFit[]
  readonly cidEquality: readonly CidEquality[]
}
