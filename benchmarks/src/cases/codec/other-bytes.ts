import type { FamilyRow } from './report.ts'

/**
 * What marks a library that wrote other encodings of the same values, so that it did other work
 */
export const OTHER_BYTES = '(other bytes)'

export function isOther (row: FamilyRow, base: FamilyRow): boolean {
  return row.digest !== base.digest
}

/**
 * Names those that wrote other bytes than a base in some family, and in how many of theirs.
 */
export function othersThan (base: string, rows: readonly FamilyRow[]): Array<{ readonly codec: string, readonly families: number, readonly of: number }> {
  const baseOf = ({ family, direction }: FamilyRow): FamilyRow | undefined => rows.find(row => row.codec === base && row.family === family && row.direction === direction)

  return Object.entries(Object.groupBy(rows, ({ codec }) => codec)).map(([codec, own = []]) => {
    const compared = own.filter(row => baseOf(row) != null)
    const familiesOf = (some: readonly FamilyRow[]): number => new Set(some.map(({ family }) => family)).size

    return {
      codec,
      families: familiesOf(compared.filter(row => {
        const other = baseOf(row)

        return other != null && isOther(row, other)
      })),
      of: familiesOf(compared)
    }
  }).filter(({ families }) => families > 0)
}
