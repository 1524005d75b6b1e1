import { hash } from 'node:crypto'
import { SourceChangedError } from '../../errors.ts'
import { readHostFile } from './read-host-file.ts'
import type { HostStat } from './read-host-file.ts'

/** Bytes of all files of a batch together. */
export const batchBytes = 2 ** 21

/** No batch has more files. */
export const maxBatchFiles = 128

const digestBytes = 32
const statFields = 5

// in place of the length of a file that was not read
const lengths = { left: -1, failed: -2, changed: -3 } as const

/** A file of a batch: its bytes, or why there are none. */
export type BatchFile =
  /** The digest is of no meaning where the file is inlined */
  | { readonly outcome: 'read', readonly stat: HostStat, readonly bytes: Uint8Array, readonly digest: Uint8Array }
  /** It is large, or did not fit */
  | { readonly outcome: 'left', readonly stat: HostStat }
  /** It changed while it was read */
  | { readonly outcome: 'changed' }
  /** Something else came into the place of a directory that it is in, so that it is unknown what was read */
  | { readonly outcome: 'exchanged' }
  /** Whoever needs it tries again, and has the error, or what a batch cannot hold */
  | { readonly outcome: 'failed' }

/**
 * Files that are read and hashed together, on whatever thread, in one piece of memory that passes from thread to thread
 * and is used again.
 */
export class ReadBatch {
  //  stats: size, mode, mtime, ctime, inode | lengths | digests | bytes of one file behind the other
  readonly memory: ArrayBuffer
  readonly #stats: BigInt64Array
  readonly #lengths: Int32Array
  readonly #digests: Uint8Array
  readonly #bytes: Uint8Array
  #count = 0
  #end = 0

  constructor (memory: ArrayBuffer) {
    this.memory = memory
    let at = 0

    const section = (bytes: number): [ArrayBuffer, number] => {
      at += bytes

      return [memory, at - bytes]
    }

    this.#stats = new BigInt64Array(...section(maxBatchFiles * statFields * 8), maxBatchFiles * statFields)
    this.#lengths = new Int32Array(...section(maxBatchFiles * 4), maxBatchFiles)
    this.#digests = new Uint8Array(...section(maxBatchFiles * digestBytes), maxBatchFiles * digestBytes)
    this.#bytes = new Uint8Array(...section(batchBytes), batchBytes)
  }

  /** Reads the next file, and hashes it where it is too large to be inlined. */
  add (path: string, inlineBytes: number): void {
    const index = this.#count++

    try {
      const { stat, bytes } = readHostFile(path, length => this.#end + length > batchBytes ? undefined : this.#bytes.subarray(this.#end))
      const fields = [stat.size, stat.mode, stat.mtimeNs, stat.ctimeNs, stat.ino]

      if (!fields.every(isHeld)) {
        this.#lengths[index] = lengths.failed
        return
      }

      this.#stats.set(fields, index * statFields)
      this.#lengths[index] = bytes?.byteLength ?? lengths.left
      this.#end += bytes?.byteLength ?? 0

      if (bytes !== undefined && bytes.byteLength > inlineBytes) {
        this.#digests.set(hash('sha256', bytes, 'buffer'), index * digestBytes)
      }
    } catch (err) {
      // errors do not pass whole from thread to thread
      this.#lengths[index] = err instanceof SourceChangedError ? lengths.changed : lengths.failed
    }
  }

  /** Gives so many files that were read into the memory, one after the other. */
  * files (count: number): Generator<BatchFile> {
    let start = 0

    for (let index = 0; index < count; index++) {
      const length = this.#lengths[index]
      yield this.#file(index, length, start)
      start += Math.max(0, length)
    }
  }

  #file (index: number, length: number, start: number): BatchFile {
    switch (length) {
      case lengths.failed:
        return { outcome: 'failed' }
      case lengths.changed:
        return { outcome: 'changed' }
      case lengths.left:
        return { outcome: 'left', stat: readStat(this.#stats, index) }
      default:
        return new ReadFile(this.#bytes.subarray(start, start + length), this.#digests, this.#stats, index)
    }
  }
}

/** A file that was read. There are many, and an object with a getter of its own takes four times as long to make. */
class ReadFile {
  readonly outcome = 'read'
  readonly bytes: Uint8Array
  readonly #digests: Uint8Array
  readonly #stats: BigInt64Array
  readonly #index: number

  constructor (bytes: Uint8Array, digests: Uint8Array, stats: BigInt64Array, index: number) {
    this.bytes = bytes
    this.#digests = digests
    this.#stats = stats
    this.#index = index
  }

  /** Nobody asks for that of an inlined file */
  get digest (): Uint8Array {
    return this.#digests.subarray(this.#index * digestBytes, (this.#index + 1) * digestBytes)
  }

  /** Few imports ask for it */
  get stat (): HostStat {
    return readStat(this.#stats, this.#index)
  }
}

/** Whether 64 bits hold a value: nanoseconds after the year 2262 do not fit. */
function isHeld (value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

function readStat (stats: BigInt64Array, index: number): HostStat {
  const [size, mode, mtimeNs, ctimeNs, ino] = stats.subarray(index * statFields, (index + 1) * statFields)

  return { size, mode, mtimeNs, ctimeNs, ino }
}

export function batchMemory (): ArrayBuffer {
  // not filled: what is not used costs no memory
  return Buffer.allocUnsafeSlow(maxBatchFiles * (statFields * 8 + 4 + digestBytes) + batchBytes).buffer
}
