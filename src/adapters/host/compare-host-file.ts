import fs from 'node:fs'
import { promisify } from 'node:util'
import { closeRead, inUse, isInUse, readFlags } from './files-in-use.ts'
import { withPath } from './read-host-file.ts'

const readAsync = promisify(fs.read)

// larger pieces are read by the thread pool, so that they do not hold up the event loop
const readAtOnceBytes = 2 ** 18

/**
 * Whether a host file has just these bytes. It is read no further than they agree, and a link in its place is not followed.
 * One that may not be read has not.
 *
 * @throws {UnsupportedEntryError} where this process has a lock on it, or it is that of a store that is open
 * @throws {Error} what `node:fs` throws, and whatever the content throws
 */
export async function isSameContent (hostPath: string, content: AsyncIterable<Uint8Array>): Promise<boolean> {
  const descriptor = openIfReadable(hostPath)

  if (descriptor === undefined) {
    return false
  }

  let start: Uint8Array | undefined

  try {
    for await (const piece of content) {
      const found = await readWhole(descriptor, piece.byteLength, hostPath)
      start ??= found

      if (Buffer.compare(found, piece) !== 0) {
        return false
      }
    }

    return (await readWhole(descriptor, 1, hostPath)).byteLength === 0
  } finally {
    closeRead(descriptor, hostPath, { isRead: true, start })
  }
}

/** Opens a file for reading, and no link in its place; returns undefined where that is not permitted. It is closed by `closeRead`. */
export function openIfReadable (hostPath: string): number | undefined {
  if (isInUse(hostPath)) {
    throw inUse(hostPath)
  }

  try {
    return fs.openSync(hostPath, readFlags)
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'EACCES') {
      return
    }

    throw err
  }
}

/** The next bytes of a file, fewer where it ends. */
async function readWhole (descriptor: number, length: number, hostPath: string): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0

  while (filled < length) {
    const count = await readSome(descriptor, bytes.subarray(filled), hostPath)

    if (count === 0) {
      break
    }

    filled += count
  }

  return bytes.subarray(0, filled)
}

async function readSome (descriptor: number, bytes: Uint8Array, hostPath: string): Promise<number> {
  try {
    return bytes.byteLength > readAtOnceBytes
      ? (await readAsync(descriptor, bytes, 0, bytes.byteLength, null)).bytesRead
      : fs.readSync(descriptor, bytes, 0, bytes.byteLength, null)
  } catch (err) {
    throw withPath(err, hostPath)
  }
}
