import type { Row } from './row.ts'
import type { CidGroup } from '../../contenders/index.ts'

export interface CidEquality {
  readonly corpus: string
  readonly group: CidGroup
  readonly equal: boolean
  /**
   * Null where the CIDs differ
   */
  readonly cid: string | null
  /**
   * Those that were compared
   */
  readonly contenders: readonly string[]
}

/**
 * A contender that is left out of the equality of a corpus, by name
 */
export interface LeftOut {
  readonly corpus: string
  readonly contender: string
  readonly reason: string
}

/**
 * Compares the CIDs of each corpus and group, all phases together.
 */
export function compareCids (rows: readonly Row[], leftOut: readonly LeftOut[]): CidEquality[] {
  const compared = rows.filter(row => row.cid != null && !isLeftOut(row, leftOut))
  const groups = new Map<string, Row[]>()

  for (const row of compared) {
    const key = JSON.stringify([row.corpus, row.cidGroup])

    groups.set(key, [...groups.get(key) ?? [], row])
  }

  return [...groups.values()].map(group => {
    const [{ corpus, cidGroup, cid }] = group
    const equal = group.every(row => row.cid === cid)

    return { corpus, group: cidGroup, equal, cid: equal ? cid : null, contenders: [...new Set(group.map(row => row.contender))] }
  })
}

/**
 * Whether a row is missing for the very reason for which its contender is left out of the corpus: it cannot carry it.
 * One whose CID alone would be another one is left out too, and has to run all the same.
 */
export function cannotCarry ({ status, corpus, contender, reason }: Pick<Row, 'status' | 'corpus' | 'contender' | 'reason'>, leftOut: readonly LeftOut[]): boolean {
  return status === 'unavailable' && leftOut.some(entry => entry.corpus === corpus && entry.contender === contender && entry.reason === reason)
}

function isLeftOut (row: Row, leftOut: readonly LeftOut[]): boolean {
  return leftOut.some(({ corpus, contender }) => corpus === row.corpus && contender === row.contender)
}
