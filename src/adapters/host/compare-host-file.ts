import fs from 'node:fs'
import { promisify } from 'node:util'

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants
const readAsync = promisify(fs.read)

// larger pieces are read by the thread pool, so that they do not hold up the event loop
const readAtOnceBytes = 2 ** 18

/**
 * Whether a host file has just these bytes. It is read no further than they agree, and a link in its place is not followed.
 *
 * @throws {Error} what `node:fs` throws, and whatever the content throws
 */
export async function isSameContent (hostPath: string, content: AsyncIterable<Uint8Array>): Promise<boolean> {
  const descriptor = fs.openSync(hostPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)

  try {
    for await (const piece of content) {
      const found = await readWhole(descriptor, piece.byteLength)

      if (Buffer.compare(found, piece) !== 0) {
        return false
      }
    }

    return (await readWhole(descriptor, 1)).byteLength === 0
  } finally {
    fs.closeSync(descriptor)
  }
}

/** The next bytes of a file, fewer where it ends. */
async function readWhole (descriptor: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0

  while (filled < length) {
    const left = length - filled
    const count = left > readAtOnceBytes
      ? (await readAsync(descriptor, bytes, filled, left, null)).bytesRead
      : fs.readSync(descriptor, bytes, filled, left, null)

    if (count === 0) {
      break
    }

    filled += count
  }

  return bytes.subarray(0, filled)
}
