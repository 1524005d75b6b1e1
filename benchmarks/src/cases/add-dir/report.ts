import type { CidEquality } from './cid-equality.ts'
import type { KuboAgreement } from './kubo-agreement.ts'
import type { Row } from './row.ts'
import type { Machine } from '../../harness/machine.ts'

/**
 * What `--json` writes
 */
export interface Report {
  readonly schema: 1
  readonly machine: Machine
  /**
   * What the run, its corpora and its contenders were told
   */
  readonly options: Readonly<Record<string, unknown>>
  readonly rows: readonly Row[]
  readonly cidEquality: readonly CidEquality[]
  readonly kuboAgreement: readonly KuboAgreement[]
}
