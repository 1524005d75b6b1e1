import fs from 'node:fs'

/** Removes a database and what SQLite keeps beside it. */
export function removeFiles (path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    fs.rmSync(`${path}${suffix}`, { force: true })
  }
}

/** Whether there is no database yet: SQLite makes the file before it writes to it. */
export function isEmpty (path: string): boolean {
  return (fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
}

const headerBytes = 100

/**
 * Whether a database ends before its last page does. SQLite takes what is missing for zeros, and finds nothing there. Where
 * there is a log or a journal beside it, that has the pages which are not written out yet, or those that it had before.
 *
 * https://www.sqlite.org/fileformat.html#the_database_header
 */
export function isCutShort (path: string): boolean {
  if (!fs.existsSync(path) || ['-wal', '-journal'].some(suffix => fs.existsSync(`${path}${suffix}`))) {
    return false
  }

  const file = fs.openSync(path, 'r')

  try {
    const header = Buffer.alloc(headerBytes)
    const count = fs.readSync(file, header, 0, headerBytes, 0)
    const pageBytes = header.readUInt16BE(16)

    // a page of 65,536 bytes is written as 1
    return count === headerBytes && fs.fstatSync(file).size < header.readUInt32BE(28) * (pageBytes === 1 ? 65_536 : pageBytes)
  } finally {
    fs.closeSync(file)
  }
}
