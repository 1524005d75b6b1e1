import { figure } from '../../harness/markdown.ts'
import type { CarRow } from './report.ts'

/**
 * Says what of the runs over the CAR was compared with it; nothing of those that failed or were not made.
 */
export function sayCompared (rows: readonly CarRow[]): string {
  const right = rows.filter(({ status }) => status === 'ok')
  const written = right.filter(({ work }) => work === 'read and write')
  const compared = right.flatMap(({ run }) => run?.compared ?? [])

  return [
    ...written.length === 0 ? [] : [`The sha2-256 of the file that was written by ${written.map(({ codec }) => codec).join(' and by ')} is that of the one that was read.`],
    ...compared.length === 0 ? [] : [`Of those that only read, the last ${figure(Math.min(...compared))} blocks were encoded again, untimed, and are the same.`]
  ].join(' ')
}
