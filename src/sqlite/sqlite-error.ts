/** Whether SQLite failed with one of the codes of https://www.sqlite.org/rescode.html; their kinds are above the lowest 8 bits. */
export function isSqliteError (err: unknown, ...codes: number[]): boolean {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number' && codes.includes(err.errcode & 0xff)
}
