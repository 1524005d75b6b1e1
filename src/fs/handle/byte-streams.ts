import { FileSystemError } from '../../errors.ts'
import { StreamUse } from './stream-use.ts'
import { bytesOfPiece } from './write-pieces.ts'
import type { Descriptor } from './descriptor.ts'
import type { ReadStreamRequest, WriteStreamRequest } from './stream-options.ts'
import type { Opener } from './stream-use.ts'

type ByteSource = UnderlyingByteSource & Required<Pick<UnderlyingByteSource, 'start' | 'pull' | 'cancel'>>
type PieceSink = Required<Pick<UnderlyingSink<Uint8Array | string>, 'start' | 'write' | 'close' | 'abort'>>

/**
 * What a stream reads a range of a file with. The file is opened when the stream starts, and read as the consumer asks for more:
 * nothing ahead, where the stream's `highWaterMark` is 0.
 */
export function readSource (open: Opener, { start, length, autoClose, signal, atOnce }: ReadStreamRequest): ByteSource {
  let left = length
  let position = start
  let isReading = false
  const use = new StreamUse(open, { autoClose, signal })

  async function finish (controller: ReadableByteStreamController): Promise<void> {
    controller.close()
    controller.byobRequest?.respond(0)
    await use.leave()
  }

  return {
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
      const available = Math.max(descriptor.size - (position ?? descriptor.position), 1)
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
}

async function readInto (descriptor: Descriptor, target: Uint8Array, position: number | undefined, use: StreamUse): Promise<number> {
  try {
    return target.byteLength === 0 ? 0 : await descriptor.use('read', async () => descriptor.read([target], position))
  } catch (err) {
    await use.leave()
    throw err
  }
}

/** What a stream writes to a file with, from `start` on. The file is opened when the stream starts. */
export function writeSink (open: Opener, { start, autoClose, flush, signal, encoding }: WriteStreamRequest): PieceSink {
  let position = start
  const use = new StreamUse(open, { autoClose, signal })

  async function during (syscall: string, operation: (descriptor: Descriptor) => Promise<void>): Promise<void> {
    const descriptor = await use.descriptor()

    try {
      await descriptor.use(syscall, async () => operation(descriptor))
    } catch (err) {
      await use.leave()
      throw err
    }
  }

  return {
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
        const count = await descriptor.write([bytesOfPiece(piece, encoding)], position)
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
  }
}
