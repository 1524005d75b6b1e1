import { addDirRow } from './add-dir.ts'
import { codecRow } from './codec.ts'
import { editsRow } from './edits.ts'
import { headersRow } from './headers.ts'
import { readLargeRow } from './large-file.ts'
import { packRow } from './pack.ts'
import { exportRow, reimportRow } from './reimport.ts'
import type { GateRow } from './row.ts'

export type { GateRow, OpenRow, RowContext } from './row.ts'

/**
 * What the rows that take a directory in are given
 */
export const gateCorpora = ['generated', 'src', 'large'] as const

const CONTENDERS = ['dagfs-mem', 'dagfs-fs', 'dagfs-pack'] as const

/**
 * All that is compared
 */
export const gateRows: readonly GateRow[] = [
  ...CONTENDERS.map(contender => addDirRow('generated', contender)),
  ...CONTENDERS.map(contender => addDirRow('src', contender)),
  addDirRow('large', 'dagfs-pack'),
  readLargeRow,
  reimportRow,
  exportRow,
  ...['write', 'read', 'insert-fewer', 'patch', 'diff-flat', 'diff-nested'].map(editsRow),
  headersRow('cat-subdir', 50),
  headersRow('write-subdir', 20),
  ...(['encode', 'decode', 'look-up', 'property'] as const).map(codecRow),
  ...(['put', 'get', 'scan', 'open'] as const).map(packRow)
]

/**
 * Looks a row up by its exact key.
 */
export function gateRowOf (key: string): GateRow {
  const row = gateRows.find(candidate => candidate.key === key)

  if (row == null) {
    throw new Error(`there is no row ${key}; there are ${gateRows.map(({ key: known }) => known).join(', ')}`)
  }

  return row
}
