import fs from 'node:fs'

/** Removes a database and what SQLite keeps beside it. */
export function removeFiles (path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    fs.rmSync(`${path}${suffix}`, { force: true })
  }
}

/** Whether there is no database yet: SQLite makes the file before it writes to it. */
export function isEmpty (path: string): boolean {
  const stats = fs.statSync(path, { throwIfNoEntry: false })

  return stats === undefined || (stats.isFile() && stats.size === 0)
}

/**
 * How large a database is, where its file has all of it: where there is a log or a journal beside it, that has the pages which
 * are not written out yet, or those that it had before. Nothing is opened: to close it would end the locks of this process.
 */
export function wholeSize (path: string): number | undefined {
  return ['-wal', '-journal'].some(suffix => !isEmpty(`${path}${suffix}`)) ? undefined : fs.statSync(path, { throwIfNoEntry: false })?.size
}
