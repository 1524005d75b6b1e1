/// <reference lib="esnext.disposable" preserve="true" />
import { throwIfAborted, turnToAbort } from '../../abort.ts'
import { concat } from '../../bytes.ts'
import { FileSystemError, InvalidStateError, OutOfRangeError } from '../../errors.ts'
import { checkBoolean, checkInteger, readOptions, toMode, toTime, wrongType } from '../node-api/arguments.ts'
import { decodeText } from '../node-api/encoding.ts'
import { BigIntStats } from '../node-api/stats.ts'
import { checkWhole } from '../node-api/whole-file.ts'
import { readSource, writeSink } from './byte-streams.ts'
import { fileHandles } from './file-handles.ts'
import { lines } from './lines.ts'
import { readStreamRequest, writeStrategy, writeStreamRequest } from './stream-options.ts'
import { anyPosition, checkBuffers, readRequest, textRequest, writeRequest } from './transfer.ts'
import { writePieces } from './write-pieces.ts'
import type { Descriptor } from './descriptor.ts'
import type { Position, TransferOptions } from './transfer.ts'
import type { ByteStreamOptions, HandleReadFileOptions, HandleWriteFileOptions, ReadResult, ReadStreamOptions, ReadvResult, WebStreamOptions, WriteResult, WriteStreamOptions, WritevResult } from './types.ts'
import type { WritableContent } from './write-pieces.ts'
import type { LimitOptions } from '../../budget.ts'
import type { AbortOptions } from '../../options.ts'
import type { TimeLike } from '../node-api/arguments.ts'
import type { Encoding } from '../node-api/encoding.ts'
import type { Stats } from '../node-api/stats.ts'

// whoever makes a handle needs both
export { Descriptor } from './descriptor.ts'

const maxId = 2 ** 32 - 1
// a size is a claim until the bytes are there, so never more than this is allocated at once
const pieceBytes = 16 * 2 ** 20

/**
 * A file that is open, as Node's `FileHandle`. It goes on standing for its file when that is renamed or removed. Where no
 * position is given, each read and write begins where the one before it ended, also where several are not waited for.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await using handle = await fs.open('/notes.txt', 'w+')
 *
 * await handle.write('hello world')
 * await handle.write('H', 0)
 * const { bytesRead, buffer } = await handle.read({ position: 0 })
 *
 * console.log(new TextDecoder().decode(buffer.subarray(0, bytesRead))) // Hello world
 * ```
 */
export class FileHandle {
  readonly #descriptor: Descriptor
  #isLocked = false

  constructor (descriptor: Descriptor) {
    this.#descriptor = descriptor
    fileHandles.add(this)
  }

  /**
   * A number that no other open handle of the filesystem has; -1 once it is closed.
   *
   * @example
   *
   * ```ts
   * await using first = await fs.open('/a.txt', 'w')
   * await using second = await fs.open('/b.txt', 'w')
   * console.log(first.fd, second.fd) // 3 4
   * ```
   */
  get fd (): number {
    return this.#descriptor.number
  }

  /**
   * As `fd`: there are no asynchronous resources of Node behind it.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/notes.md', 'w')
   * console.log(handle.getAsyncId() === handle.fd) // true
   * ```
   */
  getAsyncId (): number {
    return this.fd
  }

  /**
   * Reads bytes into a buffer, by default all that it can hold, and returns how many there were: fewer at the end of the
   * file.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/photo.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d))
   * await using handle = await fs.open('/photo.png')
   * const { bytesRead, buffer } = await handle.read(new Uint8Array(4))
   * console.log(bytesRead, buffer) // 4 Uint8Array(4) [ 137, 80, 78, 71 ]
   * ```
   *
   * @throws {FileSystemError} EBADF where the handle is closed or not opened for reading, EISDIR
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
   * @throws {OutOfRangeError} for an offset or length outside of the buffer, or a negative position
   */
  async read <B extends ArrayBufferView> (buffer: B, offset?: number | null, length?: number | null, position?: Position): Promise<ReadResult<B>>
  async read <B extends ArrayBufferView> (buffer: B, options?: TransferOptions): Promise<ReadResult<B>>
  async read <B extends ArrayBufferView = Uint8Array> (options?: TransferOptions & { buffer?: B }): Promise<ReadResult<B>>
  async read <B extends ArrayBufferView> (target?: B | (TransferOptions & { buffer?: B }), offsetOrOptions?: number | TransferOptions | null, length?: number | null, position?: Position): Promise<ReadResult<B>> {
    return this.#descriptor.use('read', async () => {
      const { buffer, ...request } = readRequest<B>(target, offsetOrOptions, length, position)
      const bytesRead = request.bytes.byteLength === 0 ? 0 : await this.#descriptor.read([request.bytes], request.position, { signal: request.signal })

      return { bytesRead, buffer }
    })
  }

  /**
   * Reads bytes into several buffers, one after the other.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/record', 'keyvalue')
   * await using handle = await fs.open('/record')
   * const { bytesRead, buffers: [key, value] } = await handle.readv([new Uint8Array(3), new Uint8Array(10)])
   * console.log(bytesRead, key.byteLength, value.byteLength) // 8 3 10
   * ```
   *
   * @throws {FileSystemError} EBADF, EISDIR
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
   */
  async readv <B extends readonly ArrayBufferView[]> (buffers: B, position?: Position): Promise<ReadvResult<B>> {
    return this.#descriptor.use('readv', async () => ({
      bytesRead: await this.#descriptor.read(checkBuffers(buffers), anyPosition(position)),
      buffers
    }))
  }

  /**
   * Reads from where the last operation ended to the end of the file.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/notes.md', '# Notes\nhello')
   * await using handle = await fs.open('/notes.md')
   * await handle.read(new Uint8Array(8)) // the title
   * console.log(await handle.readFile('utf8')) // hello
   * ```
   *
   * @throws {FileSystemError} EBADF, EISDIR
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, or ERR_INVALID_ARG_VALUE for an unknown encoding
   * @throws {FileTooLargeError} above 2 GiB, wherever it is read from
   */
  async readFile (options: Encoding | (HandleReadFileOptions & { encoding: Encoding })): Promise<string>
  async readFile (options?: (HandleReadFileOptions & { encoding?: 'buffer' | null }) | 'buffer' | null): Promise<Uint8Array>
  async readFile (options?: Encoding | 'buffer' | HandleReadFileOptions | null): Promise<Uint8Array | string>
  async readFile (options?: Encoding | 'buffer' | HandleReadFileOptions | null): Promise<Uint8Array | string> {
    return this.#descriptor.use('readFile', async () => {
      const { encoding, signal } = readOptions<HandleReadFileOptions>(options)
      throwIfAborted(signal)
      checkWhole(this.#descriptor.file.size)
      const bytes = await this.#readOn(signal)
      await turnToAbort(signal)

      return encoding === undefined || encoding === 'buffer' ? bytes : decodeText(bytes, encoding)
    })
  }

  async #readOn (signal?: AbortSignal): Promise<Uint8Array> {
    const parts: Uint8Array[] = []

    for (;;) {
      throwIfAborted(signal)
      const left = Math.max(this.#descriptor.file.size - this.#descriptor.position, 1)
      const part = new Uint8Array(Math.min(left, pieceBytes))
      const count = await this.#descriptor.read([part], undefined, { signal })

      if (count === 0) {
        return concat(parts)
      }

      parts.push(part.subarray(0, count))
    }
  }

  /**
   * Writes bytes of a buffer, or a text, and returns how many bytes were written: always all of them. In a handle opened
   * to append, to the end of the file, whatever the position.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/data', 'w+')
   * await handle.write(Uint8Array.of(1, 2, 3))
   * await handle.write(Uint8Array.of(9), { position: 0 })
   * console.log(await fs.readFile('/data')) // Uint8Array(3) [ 9, 2, 3 ]
   * ```
   *
   * @throws {FileSystemError} EBADF where the handle is closed or not opened for writing, EFBIG
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
   * @throws {OutOfRangeError} for an offset or length outside of the buffer
   */
  async write <B extends ArrayBufferView> (buffer: B, offset?: number | null, length?: number | null, position?: Position): Promise<WriteResult<B>>
  async write <B extends ArrayBufferView> (buffer: B, options?: TransferOptions): Promise<WriteResult<B>>
  async write (text: string, position?: Position, encoding?: Encoding | null): Promise<WriteResult<string>>
  async write <B extends ArrayBufferView> (data: B | string, offsetOrOptions?: number | bigint | TransferOptions | null, lengthOrEncoding?: number | Encoding | null, position?: Position): Promise<WriteResult<B | string>> {
    return this.#descriptor.use('write', async () => {
      // Node writes nothing without a look at how the file was opened
      if (ArrayBuffer.isView(data) && data.byteLength === 0) {
        return { bytesWritten: 0, buffer: data }
      }

      const request = ArrayBuffer.isView(data)
        ? writeRequest(data, offsetOrOptions as number | TransferOptions, lengthOrEncoding as number, position)
        : textRequest(data, offsetOrOptions, lengthOrEncoding)

      return { bytesWritten: await this.#descriptor.write([request.bytes], request.position, { signal: request.signal }), buffer: data }
    })
  }

  /**
   * Writes several buffers, one behind the other.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/record', 'w')
   * const encoder = new TextEncoder()
   * const { bytesWritten } = await handle.writev([encoder.encode('key'), encoder.encode('value')])
   * console.log(bytesWritten) // 8
   * ```
   *
   * @throws {FileSystemError} EBADF, EFBIG
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
   */
  async writev <B extends readonly ArrayBufferView[]> (buffers: B, position?: Position): Promise<WritevResult<B>> {
    return this.#descriptor.use('writev', async () => {
      const parts = checkBuffers(buffers)

      return { bytesWritten: parts.length === 0 ? 0 : await this.#descriptor.write(parts, anyPosition(position)), buffers }
    })
  }

  /**
   * Writes everything from where the last operation ended on. What is behind it stays: use the flag `'w'`, or `truncate`,
   * to replace a file. Where it fails, what was written until then stays.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/notes.md', 'w')
   * await handle.writeFile('# Notes\n')
   * await handle.writeFile('hello') // goes on behind it
   * console.log((await handle.stat()).size) // 13
   * ```
   *
   * @throws {FileSystemError} EBADF, EFBIG
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, or ERR_INVALID_ARG_VALUE for an unknown encoding
   */
  async writeFile (data: WritableContent, options?: HandleWriteFileOptions | Encoding | null): Promise<void> {
    await this.#descriptor.use('writeFile', async () => {
      const { encoding, flush, signal } = readOptions<HandleWriteFileOptions>(options)
      checkBoolean(flush ?? false, 'options.flush')
      await writePieces(this.#descriptor, data, { encoding: encoding === null || encoding === 'buffer' ? undefined : encoding, signal })
    })
  }

  /**
   * As `writeFile`: what is written goes to the end of the file in a handle that was opened to append.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/log.txt', 'started\n')
   * await using handle = await fs.open('/log.txt', 'a')
   * await handle.appendFile('ended\n')
   * console.log((await handle.stat()).size) // 14
   * ```
   */
  async appendFile (data: WritableContent, options?: HandleWriteFileOptions | Encoding | null): Promise<void> {
    await this.writeFile(data, options)
  }

  /**
   * Cuts the file, or extends it with zeros.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/log.txt', 'begin, work, end')
   * await using handle = await fs.open('/log.txt', 'r+')
   * await handle.truncate(11)
   * console.log(await handle.readFile('utf8')) // begin, work
   * ```
   *
   * @throws {FileSystemError} EBADF, or EINVAL where it was not opened for writing
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
   * @throws {OutOfRangeError} where the length is no integer
   */
  async truncate (length = 0, options: AbortOptions = {}): Promise<void> {
    await this.#descriptor.use('ftruncate', async () => {
      checkInteger(length, 'len', Number.MIN_SAFE_INTEGER)

      if (!this.#descriptor.flags.write) {
        throw new FileSystemError('EINVAL', 'ftruncate')
      }

      await this.#descriptor.file.truncate(Math.max(0, length), readOptions<AbortOptions>(options))
    })
  }

  /**
   * What is known of the file.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/notes.md', 'w')
   * await fs.rename('/notes.md', '/old.md')
   * await handle.write('hello')
   * console.log((await handle.stat()).size, (await fs.stat('/old.md')).size) // 5 5
   * ```
   *
   * @throws {FileSystemError} EBADF
   */
  async stat (options: { readonly bigint: true }): Promise<BigIntStats>
  async stat (options?: { readonly bigint?: false }): Promise<Stats>
  async stat (options?: { readonly bigint?: boolean }): Promise<Stats | BigIntStats>
  async stat ({ bigint = false }: { readonly bigint?: boolean } = {}): Promise<Stats | BigIntStats> {
    return this.#descriptor.use('fstat', async () => {
      const stats = await this.#descriptor.file.stat({})

      return bigint ? new BigIntStats(stats) : stats
    })
  }

  /**
   * Records permission bits.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/key.pem', 'wx')
   * await handle.chmod(0o600)
   * console.log(((await handle.stat()).mode & 0o777).toString(8)) // 600
   * ```
   *
   * @throws {FileSystemError} EBADF, EROFS
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
   * @throws {OutOfRangeError}
   */
  async chmod (mode: number | string): Promise<void> {
    await this.#descriptor.use('fchmod', async () => {
      await this.#descriptor.file.setAttributes({ mode: toMode(mode) }, {})
    })
  }

  /**
   * Is refused: a tree has no owners.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/notes.md', 'w')
   * const { code, syscall } = await handle.chown(1_000, 1_000).catch(error => error)
   * console.log(code, syscall) // ENOTSUP fchown
   * ```
   *
   * @throws {FileSystemError} ENOTSUP, EBADF
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
   * @throws {OutOfRangeError}
   */
  async chown (uid: number, gid: number): Promise<void> {
    await this.#descriptor.use('fchown', async () => {
      checkInteger(uid, 'uid', -1, maxId)
      checkInteger(gid, 'gid', -1, maxId)

      throw new FileSystemError('ENOTSUP', 'fchown')
    })
  }

  /**
   * Records when the content changed last. The time of the last access is checked and not kept: a tree has none.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/notes.md', 'w')
   * await handle.utimes(new Date(), '2026')
   * console.log((await handle.stat()).mtimeMs) // 2026000
   * ```
   *
   * @throws {FileSystemError} EBADF, EROFS
   * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
   */
  async utimes (atime: TimeLike, mtime: TimeLike): Promise<void> {
    await this.#descriptor.use('futimes', async () => {
      toTime(atime, 'atime')
      await this.#descriptor.file.setAttributes({ mtime: toTime(mtime, 'mtime') }, {})
    })
  }

  /**
   * Stores the blocks of the file's content that are not stored. The file is part of a root from the next commit on.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/video.mp4', 'w')
   * await handle.write(new Uint8Array(2 ** 21))
   * await handle.sync()
   * console.log((await fs.stat('/video.mp4')).cid !== undefined) // true
   * ```
   *
   * @throws {FileSystemError} EBADF
   * @throws {LimitExceededError} where the whole file has to be stored anew, because it has another layout, and more is to be read
   * than `limits` allow: 1,000,000 blocks and 16 GiB, unless given
   */
  async sync (options: LimitOptions = {}): Promise<void> {
    await this.#store('fsync', options)
  }

  /**
   * As `sync`.
   *
   * @example
   *
   * ```ts
   * await using handle = await fs.open('/log.txt', 'a')
   * await handle.write('started\n')
   * await handle.datasync({ signal: AbortSignal.timeout(10_000) })
   * ```
   */
  async datasync (options: LimitOptions = {}): Promise<void> {
    await this.#store('fdatasync', options)
  }

  async #store (syscall: string, options: LimitOptions): Promise<void> {
    const { signal, limits } = readOptions<LimitOptions>(options)

    await this.#descriptor.use(syscall, async () => {
      throwIfAborted(signal)
      await this.#descriptor.file.sync({ signal, limits })
    })
  }

  /**
   * The lines of the file, from where the last operation ended, without their ends. The handle is closed behind the last
   * one, or where the caller stops, unless `autoClose` is false.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/todo.md', 'eat\nsleep\n')
   * const handle = await fs.open('/todo.md')
   *
   * for await (const line of handle.readLines()) {
   *   console.log(line) // eat, sleep
   * }
   * ```
   *
   * @throws {FileSystemError} EBADF, EISDIR
   */
  readLines (options: ReadStreamOptions & { encoding?: Encoding | null } = {}): AsyncGenerator<string, undefined> {
    const { encoding, ...rest } = readOptions<ReadStreamOptions & { encoding?: Encoding | null }>(options)

    return lines(this.createReadStream(rest), encoding ?? 'utf8')
  }

  /**
   * The file as a byte stream, from where the last operation ended. One handle gives one such stream.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/data.json', '{ "answer": 42 }')
   * const handle = await fs.open('/data.json')
   * const { answer } = await new Response(handle.readableWebStream({ autoClose: true })).json()
   * console.log(answer, handle.fd) // 42 -1
   * ```
   *
   * @throws {InvalidStateError} where the handle is closed or has given a stream
   */
  readableWebStream (options: WebStreamOptions = {}): ReadableStream<Uint8Array> {
    this.#checkOpen()

    if (this.#isLocked) {
      throw new InvalidStateError('The FileHandle is locked')
    }

    this.#isLocked = true

    if (typeof options !== 'object' || options === null) {
      throw wrongType('options', 'of type object', options)
    }

    return this.#readStream({ autoClose: checkBoolean(options.autoClose ?? false, 'options.autoClose') })
  }

  /**
   * A range of the file as a byte stream; without `start`, from where the last operation ended. The handle is closed at
   * its end unless `autoClose` is false.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/log.txt', 'begin, work, end')
   * await using handle = await fs.open('/log.txt')
   *
   * for (const [start, end] of [[0, 4], [13, 15]]) {
   *   console.log(await new Response(handle.createReadStream({ start, end, autoClose: false })).text()) // begin, end
   * }
   * ```
   *
   * @throws {InvalidStateError} where the handle is being closed
   * @throws {OutOfRangeError} where it is closed, or `start` or `end` is no place in a file
   */
  createReadStream (options: ReadStreamOptions = {}): ReadableStream<Uint8Array> {
    this.#checkDescriptor()

    return this.#readStream(options)
  }

  /**
   * A stream that writes to the file; without `start`, from where the last operation ended. The handle is closed with it
   * unless `autoClose` is false. A stream that is aborted leaves what was written.
   *
   * @example
   *
   * ```ts
   * const handle = await fs.open('/backup.gz', 'w')
   * const { body } = new Response('hello')
   * await body?.pipeThrough(new CompressionStream('gzip')).pipeTo(handle.createWriteStream())
   * console.log(handle.fd) // -1
   * ```
   *
   * @throws {InvalidStateError} where the handle is being closed
   * @throws {OutOfRangeError} where it is closed, or `start` is no place in a file
   */
  createWriteStream (options: WriteStreamOptions = {}): WritableStream<Uint8Array | string> {
    this.#checkDescriptor()
    const [descriptor, request] = [this.#descriptor, writeStreamRequest(options)]

    return new WritableStream(writeSink(() => descriptor, request), writeStrategy(request))
  }

  #readStream (options: ByteStreamOptions): ReadableStream<Uint8Array> {
    const descriptor = this.#descriptor

    return new ReadableStream(readSource(() => descriptor, readStreamRequest(options)), { highWaterMark: 0 })
  }

  /** As Node's streams do, which look at the number first. */
  #checkDescriptor (): void {
    if (this.fd === -1) {
      throw new OutOfRangeError('fd', '>= 0 && <= 2147483647', -1)
    }

    this.#checkOpen()
  }

  #checkOpen (): void {
    if (this.fd === -1) {
      throw new InvalidStateError('The FileHandle is closed')
    }

    if (this.#descriptor.isClosing) {
      throw new InvalidStateError('The FileHandle is closing')
    }
  }

  /**
   * Closes the handle once the operations that are under way have ended, and stores its content as `sync` does. Its streams are
   * cancelled. Closing it again does nothing. Where it is aborted or fails, the handle is closed, or will be once the
   * operations have ended, and what was written stays in the draft.
   *
   * @example
   *
   * ```ts
   * const handle = await fs.open('/notes.md', 'w')
   * await handle.write('hello')
   * await handle.close()
   * console.log(handle.fd) // -1
   * ```
   *
   * @throws {LimitExceededError} as `sync`
   */
  async close (options: LimitOptions = {}): Promise<void> {
    const { signal, limits } = readOptions<LimitOptions>(options)
    await this.#descriptor.close({ signal, limits })
  }

  /**
   * As `close`, at the end of an `await using`.
   *
   * @example
   *
   * ```ts
   * {
   *   await using handle = await fs.open('/notes.md', 'w')
   *   await handle.write('hello')
   * } // closed here, also where an error is thrown
   *
   * console.log(await fs.readFile('/notes.md', 'utf8')) // hello
   * ```
   */
  async [Symbol.asyncDispose] (): Promise<void> {
    await this.close()
  }
}
