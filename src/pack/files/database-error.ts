export function isDatabaseError (err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_SQLITE_ERROR'
}

/** Does what nothing depends on, where a database may fail. */
export function unlessDatabaseError (work: () => void): void {
  try {
    work()
  } catch (err) {
    if (!isDatabaseError(err)) {
      throw err
    }
  }
}

/** Whether SQLite failed with one of the codes of https://www.sqlite.org/rescode.html; their kinds are above the lowest 8 bits. */
export function isSqliteError (err: unknown, ...codes: number[]): boolean {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number' && codes.includes(err.errcode & 0xff)
}

// SQLITE_CORRUPT, SQLITE_NOTADB
const damageCodes = [11, 26]

/** Whether SQLite found that a database is damaged, or none. */
export function isDamage (err: unknown): boolean {
  return isSqliteError(err, ...damageCodes)
}

// SQLITE_BUSY, SQLITE_READONLY
const awayCodes = [5, 8]

/** Whether a database cannot be read for now: somebody writes to it, or was killed doing so and left it for who writes next. */
export function isAway (err: unknown): boolean {
  return isSqliteError(err, ...awayCodes)
}

/** Whether a statement does not fit to a database's tables, or SQLite to its format: SQLITE_ERROR. */
export function isUnknownLayout (err: unknown): boolean {
  return isSqliteError(err, 1)
}
