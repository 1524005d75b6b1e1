interface Row {
  readonly status: string
  readonly reason?: string | null
}

/**
 * Which rows of a report failed, and why.
 *
 * @param rows - those that did not fail are left out
 * @param nameOf - what tells a row from the others
 */
export function failedRows <R extends Row> (rows: readonly R[], nameOf: (row: R) => readonly string[]): Array<{ what: string, reason: string }> {
  return rows.filter(({ status }) => status === 'failed').map(row => ({ what: nameOf(row).join(', '), reason: row.reason ?? '' }))
}

/**
 * Says the same, a line for each.
 */
export function sayFailed <R extends Row> (rows: readonly R[], nameOf: (row: R) => readonly string[]): string[] {
  return failedRows(rows, nameOf).map(({ what, reason }) => `${what}: ${reason}`)
}
