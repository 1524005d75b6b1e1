import { hash } from 'node:crypto'
import { readSync } from 'node:fs'
import { answerRequests } from '../threads/index.ts'
import type { Hashed, HashRequest } from './checking-threads.ts'

// a thread that reads blocks and hashes them

answerRequests((request: HashRequest): { answer: Hashed | undefined, handOver: ArrayBuffer[] } => {
  const bytes = read(request)

  return bytes === undefined ? { answer: undefined, handOver: [] } : { answer: { bytes, digest: hash('sha256', bytes, 'buffer') }, handOver: [bytes.buffer] }
})

/** Answers undefined where it fails: whoever asked tries by himself, and is told why. */
function read ({ descriptor, offset, length }: HashRequest): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  let end = 0

  try {
    while (end < length) {
      const count = readSync(descriptor, bytes, end, length - end, offset + end)

      if (count === 0) {
        return
      }

      end += count
    }
  } catch {
    return
  }

  return bytes
}
