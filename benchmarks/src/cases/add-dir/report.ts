import type { CidEquality, LeftOut } from './cid-equality.ts'
import type { KuboAgreement } from './kubo-agreement.ts'
import type { Row } from './row.ts'
import type { CaseReport } from '../../report/chart.ts'

/**
 * What `--json` writes
 */
export interface Report extends CaseReport {
  readonly schema: 1
  readonly case: 'add-dir'
  /**
   * What the run, its corpora and its contenders were told
   */
  readonly options: ReportOptions
  readonly rows: readonly Row[]
  readonly cidEquality: readonly CidEquality[]
  readonly kuboAgreement: readonly KuboAgreement[]
  /**
   * Why our DAGs could not be held against Kubo, if so
   */
  readonly agreementFault?: string
}

export interface ReportOptions {
  readonly iterations: number
  readonly minTimeMs: number
  /**
   * Contenders whose absence is no fault
   */
  readonly optional?: readonly string[]
  /**
   * What each contender was told, by its key
   */
  readonly contenders: Readonly<Record<string, unknown>>
  readonly leftOut: readonly LeftOut[]
  readonly [name: string]: unknown
}
