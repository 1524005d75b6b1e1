import { answerRequests } from '../../threads/index.ts'
import { hashed, readNow } from '../files/read-hashed.ts'
import type { HashRequest } from './checking-threads.ts'

// a thread that reads blocks and hashes them

answerRequests((request: HashRequest) => {
  const bytes = read(request)

  return bytes === undefined ? { answer: undefined, handOver: [] } : { answer: hashed(bytes), handOver: [bytes.buffer] }
})

/** Returns undefined where it fails: whoever asked tries by himself, and is told why. */
function read ({ descriptor, offset, length }: HashRequest): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)

  try {
    return readNow(descriptor, bytes, offset) === length ? bytes : undefined
  } catch {
    return undefined
  }
}
