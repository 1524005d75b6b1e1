import { FileSystemError, OutOfRangeError } from '../../errors.ts'
import { checkBoolean, checkInteger, readOptions, wrongValue } from '../node-api/arguments.ts'
import { StreamUse } from './stream-use.ts'
import { bytesOfPiece } from './write-pieces.ts'
import type { Descriptor } from './descriptor.ts'
import type { Opener } from './stream-use.ts'
import type { ByteStreamOptions, WriteStreamOptions } from './types.ts'
import type { EncodingOptions } from '../node-api/arguments.ts'

// a chunk of the default layout, so that none is fetched twice
const readAtOnceBytes = 1_048_576
const writeAheadBytes = 65_536

/**
 * A range of a file as a stream of bytes. The file is opened at once, and read as the consumer asks for more.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 * @throws {OutOfRangeError} where `start` or `end` is no place in a file, or `start` is behind `end`
 */
export function readStream (open: Opener, options: ByteStreamOptions): ReadableStream<Uint8Array> {
  const { start, end, autoClose = true, signal, highWaterMark = readAtOnceBytes } = streamOptions<ByteStreamOptions>(options)
  const atOnce = Math.max(checkInteger(highWaterMark, 'options.highWaterMark'), 1)
  let left = bytesInRange(start, end)
  let position = start
  let isReading = false
  const use = new StreamUse(open, { autoClose: checkBoolean(autoClose, 'options.autoClose'), signal })

  async function finish (controller: ReadableByteStreamController): Promise<void> {
    controller.close()
    controller.byobRequest?.respond(0)
    await use.leave()
  }

  const source: UnderlyingByteSource = {
    type: 'bytes',

    async start (controller) {
      await use.begin({
        onClose () {
          left = 0

          // a read under way ends first: it writes into what the consumer gave it
          if (!isReading) {
            finish(controller).catch(() => {})
          }
        },
        onAbort (reason) {
          controller.error(reason)
        }
      })
    },

    async pull (controller) {
      const descriptor = await use.descriptor()

      if (use.isOver) {
        return
      }

      const view = controller.byobRequest?.view ?? undefined
      const available = Math.max(descriptor.file.size - (position ?? descriptor.position), 1)
      const room = Math.min(left, view?.byteLength ?? Math.min(atOnce, available))
      const target = view === undefined ? new Uint8Array(room) : new Uint8Array(view.buffer, view.byteOffset, room)
      isReading = true
      const count = await readInto(descriptor, target, position, use).finally(() => {
        isReading = false
      })

      if (use.isOver) {
        return
      }

      if (count === 0 || left === 0) {
        await finish(controller)
        return
      }

      position = position === undefined ? undefined : position + count
      left -= count

      if (view === undefined) {
        controller.enqueue(target.subarray(0, count))
      } else {
        controller.byobRequest?.respond(count)
      }
    },

    async cancel () {
      await use.leave()
    }
  }

  // nothing is read ahead of the consumer
  return new ReadableStream(source, { highWaterMark: 0 })
}

async function readInto (descriptor: Descriptor, target: Uint8Array, position: number | undefined, use: StreamUse): Promise<number> {
  try {
    return target.byteLength === 0 ? 0 : await descriptor.use('read', async () => descriptor.read([target], position))
  } catch (err) {
    await use.leave()
    throw err
  }
}

/**
 * A stream that writes to a file from `start` on. The file is opened at once.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 * @throws {OutOfRangeError} where `start` is no place in a file
 */
export function writeStream (open: Opener, options: WriteStreamOptions): WritableStream<Uint8Array | string> {
  const { start, autoClose = true, flush = false, signal, encoding, highWaterMark = writeAheadBytes } = readOptions<WriteStreamOptions>(options)
  const textEncoding = encoding === null || encoding === 'buffer' ? undefined : encoding
  checkBoolean(flush ?? false, 'options.flush')
  let position = start === undefined ? undefined : checkInteger(start, 'start')
  const use = new StreamUse(open, { autoClose: checkBoolean(autoClose, 'options.autoClose'), signal })

  async function during (syscall: string, operation: (descriptor: Descriptor) => Promise<void>): Promise<void> {
    const descriptor = await use.descriptor()

    try {
      await descriptor.use(syscall, async () => operation(descriptor))
    } catch (err) {
      await use.leave()
      throw err
    }
  }

  return new WritableStream<Uint8Array | string>({
    async start (controller) {
      await use.begin({
        onClose () {
          controller.error(new FileSystemError('EBADF', 'write', undefined, 'file closed'))
          use.leave().catch(() => {})
        },
        onAbort (reason) {
          controller.error(reason)
        }
      })
    },

    async write (piece) {
      await during('write', async descriptor => {
        const count = await descriptor.write([bytesOfPiece(piece, textEncoding)], position)
        position = position === undefined ? undefined : position + count
      })
    },

    async close () {
      if (flush) {
        await during('fsync', async descriptor => descriptor.file.sync({}))
      }

      await use.leave()
    },

    async abort () {
      await use.leave()
    }
  }, { highWaterMark: checkInteger(highWaterMark, 'options.highWaterMark'), size: piece => typeof piece === 'string' ? piece.length : piece.byteLength })
}

function streamOptions <T extends EncodingOptions> (options: unknown): ReturnType<typeof readOptions<T>> {
  const given = readOptions<T>(options)

  if (given.encoding !== undefined && given.encoding !== 'buffer') {
    throw wrongValue('options.encoding', given.encoding, 'cannot be given for a stream of bytes; pipe it through a TextDecoderStream')
  }

  return given
}

function bytesInRange (start?: number, end?: number): number {
  if (start !== undefined) {
    checkInteger(start, 'start')
  }

  if (end === undefined || end === Number.POSITIVE_INFINITY) {
    return Number.POSITIVE_INFINITY
  }

  if (start !== undefined && start > checkInteger(end, 'end')) {
    throw new OutOfRangeError('start', `<= "end" (here: ${end})`, start)
  }

  return checkInteger(end, 'end') - (start ?? 0) + 1
}
