import { concat } from '../../bytes.ts'
import { decodeText } from '../node-api/encoding.ts'
import type { Encoding } from '../node-api/encoding.ts'

// as Node's readline
const lineEnd = /\r\n|\r(?!$)|[\n\u2028\u2029]/

/**
 * The lines of a stream of bytes, without their ends. Where the caller stops, the stream is cancelled.
 */
export async function * lines (stream: ReadableStream<Uint8Array>, encoding: Encoding): AsyncGenerator<string, undefined> {
  const reader = stream.getReader()
  const decode = textDecoder(encoding)
  let rest = ''

  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decode(value)

      // a carriage return at the end may be the first half of a line's end
      const parts = rest.split(lineEnd)
      rest = parts.pop() ?? ''
      yield * parts

      if (done) {
        break
      }
    }

    const last = rest.split('\r')

    if (last[last.length - 1] === '') {
      last.pop()
    }

    yield * last
  } finally {
    await reader.cancel()
  }
}

/** Text is cut in pieces where characters may be cut as well; the last call has none. */
function textDecoder (encoding: Encoding): (bytes?: Uint8Array) => string {
  const name = encoding.toLowerCase()

  if (name === 'utf8' || name === 'utf-8') {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

    return bytes => decoder.decode(bytes, { stream: bytes !== undefined })
  }

  // three bytes are whole numbers of base64 digits, and two of UTF-16 units
  const unit = 6
  let kept = new Uint8Array(0)

  return bytes => {
    const all = bytes === undefined ? kept : concat([kept, bytes])
    const end = bytes === undefined ? all.byteLength : all.byteLength - all.byteLength % unit
    kept = all.slice(end)

    return decodeText(all.subarray(0, end), encoding)
  }
}
