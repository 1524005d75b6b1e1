import { cannotCarry } from './cid-equality.ts'
import type { CidEquality, LeftOut } from './cid-equality.ts'
import type { KuboAgreement } from './kubo-agreement.ts'
import type { Report } from './report.ts'
import type { Row } from './row.ts'

export interface Verdict {
  readonly passed: boolean
  /**
   * Sentences, the faults last
   */
  readonly lines: readonly string[]
  readonly faults: readonly string[]
}

export interface Expectations {
  readonly leftOut: readonly LeftOut[]
  /**
   * Contenders whose absence is no fault
   */
  readonly optional: readonly string[]
  /**
   * Why our DAGs could not be held against Kubo, if so
   */
  readonly agreementFault: string | undefined
}

/**
 * Judges a whole report, by what it says of its own run.
 */
export function judgeReport (report: Report): Verdict {
  const { leftOut, optional = [] } = report.options

  return judge(report, { leftOut, optional, agreementFault: report.agreementFault })
}

/**
 * Says in words whether the run holds what it has to hold: every contender that
 * can carry a corpus ran, equal input gave equal CIDs, and Kubo agrees.
 */
export function judge ({ rows, cidEquality, kuboAgreement }: Pick<Report, 'rows' | 'cidEquality' | 'kuboAgreement'>, { leftOut, optional, agreementFault }: Expectations): Verdict {
  const faults = [
    ...cidEquality.filter(({ equal }) => !equal).map(entry => differing(entry, rows)),
    ...kuboAgreement.filter(agreement => !agrees(agreement)).map(sayAgreement),
    ...agreementFault == null ? [] : [`Kubo's agreement was not reached: ${agreementFault}`],
    ...unique(rows.filter(row => isFault(row, leftOut, optional)).map(row => `${row.corpus}: ${row.contender} is ${row.status}: ${row.reason}`))
  ]

  return {
    passed: faults.length === 0,
    faults,
    lines: [
      ...cidEquality.filter(({ equal }) => equal).map(sayEqual),
      ...leftOut.map(({ corpus, contender, reason }) => `${corpus}: ${contender} is left out of the equality: ${reason}.`),
      ...kuboAgreement.filter(agrees).map(sayAgreement),
      ...faults.map(fault => `FAILED  ${fault}`)
    ]
  }
}

/**
 * Whether a row makes the run fail: one that failed always, and one that was not to be had where nothing excuses it.
 */
export function isFault (row: Pick<Row, 'status' | 'contender' | 'corpus' | 'reason'>, leftOut: readonly LeftOut[], optional: readonly string[]): boolean {
  if (row.status === 'unavailable') {
    return !cannotCarry(row, leftOut) && !optional.includes(row.contender)
  }

  return row.status === 'failed'
}

function sayEqual ({ corpus, group, cid, contenders }: CidEquality): string {
  return contenders.length === 1
    ? `${corpus}: only ${contenders[0]} gives a ${group} CID, ${cid}, and there is nothing to compare it with.`
    : `${corpus}: the ${group} CIDs are equal, ${cid}, from ${contenders.join(', ')}.`
}

function differing ({ corpus, group, contenders }: CidEquality, rows: readonly Row[]): string {
  const given = contenders.map(contender => {
    const cids = unique(rows.filter(row => row.corpus === corpus && row.contender === contender).map(row => row.cid ?? 'nothing'))

    return `${contender} gave ${cids.join(' and ')}`
  })

  return `${corpus}: the ${group} CIDs differ: ${given.join(', ')}.`
}

function agrees ({ blocks, imported, reencodedEqual }: KuboAgreement): boolean {
  return blocks === imported && reencodedEqual
}

function sayAgreement ({ corpus, blocks, imported, reencodedEqual }: KuboAgreement): string {
  const kept = reencodedEqual ? 'and keeps' : 'but does not keep'

  return `${corpus}: Kubo counts ${imported} blocks under our root of ${blocks}, ${kept} the CID of every dag-cbor block that it encodes again.`
}

function unique (texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
