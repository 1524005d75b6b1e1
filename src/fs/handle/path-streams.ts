import { readStreamRequest, writeStreamRequest, writeStrategy } from './stream-options.ts'
import type { Descriptor } from './descriptor.ts'

type Open = () => Promise<Descriptor>

// what reads and writes is loaded on demand; wrong options are refused at once
const load = async (): Promise<typeof import('./byte-streams.ts')> => import('./byte-streams.ts')

/**
 * A range of the file at a path as a stream of bytes. It has one version of the file: that of its opening.
 *
 * @throws {ArgumentError} and {OutOfRangeError} as `readStreamRequest`
 */
export function readPathStream (open: Open, options: unknown): ReadableStream<Uint8Array> {
  // nobody else can close it
  const request = { ...readStreamRequest(options), autoClose: true }

  const source = load().then(({ readSource }) => readSource(async () => {
    const descriptor = await open()
    descriptor.keepVersion()

    return descriptor
  }, request))

  return new ReadableStream({
    type: 'bytes',
    start: async controller => (await source).start(controller),
    pull: async controller => (await source).pull(controller),
    cancel: async () => (await source).cancel()
  }, { highWaterMark: 0 })
}

/**
 * A stream that writes to the file at a path.
 *
 * @throws {ArgumentError} and {OutOfRangeError} as `writeStreamRequest`
 */
export function writePathStream (open: Open, options: unknown): WritableStream<Uint8Array | string> {
  const request = { ...writeStreamRequest(options), autoClose: true }
  const sink = load().then(({ writeSink }) => writeSink(open, request))

  return new WritableStream({
    start: async controller => (await sink).start(controller),
    write: async (piece, controller) => (await sink).write(piece, controller),
    close: async () => (await sink).close(),
    abort: async () => (await sink).abort()
  }, writeStrategy(request))
}
