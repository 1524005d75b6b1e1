import pLimit from 'p-limit'
import { throwIfAborted, untilAborted } from '../../abort.ts'
import { concat } from '../../bytes.ts'
import { FileSystemError } from '../../errors.ts'
import type { FileVersion, OpenFile } from './open-file.ts'
import type { LimitOptions } from '../../budget.ts'
import type { AbortOptions } from '../../options.ts'
import type { OpenFlags } from '../node-api/flags.ts'

/**
 * One opening of a file: what it was opened for, the position that reads and writes go on from, and how many operations
 * are still using it. It is closed when the last of them has ended.
 */
export class Descriptor {
  readonly file: OpenFile
  readonly flags: OpenFlags
  /** What moves the position is done one after the other */
  readonly #inOrder = pLimit(1)
  readonly #closeListeners = new Set<() => void>()
  readonly #released = Promise.withResolvers<void>()
  #number: number
  #position = 0
  /** Operations under way, and one for the opening itself */
  #users = 1
  #isClosing = false
  #releaseOptions: LimitOptions = {}
  /** What is read, where it is to stay as it is */
  #version: FileVersion | undefined

  constructor (file: OpenFile, flags: OpenFlags, number: number) {
    this.file = file
    this.flags = flags
    this.#number = number
    // whoever closes is told; without anybody it must not end the process
    this.#released.promise.catch(() => {})
  }

  /** -1 once it is closed */
  get number (): number {
    return this.#number
  }

  get position (): number {
    return this.#position
  }

  get isClosing (): boolean {
    return this.#isClosing
  }

  /** How many bytes can be read. */
  get size (): number {
    return (this.#version ?? this.file).size
  }

  /** Whatever is written from now on, it reads what the file is now. */
  keepVersion (): void {
    this.#version = this.file.version()
  }

  /**
   * Keeps it open during an operation.
   *
   * @throws {FileSystemError} EBADF where it is closed
   */
  async use <T> (syscall: string, operation: () => Promise<T>): Promise<T> {
    if (this.#number === -1) {
      throw new FileSystemError('EBADF', syscall, undefined, 'file closed')
    }

    const letGo = this.hold()

    try {
      return await operation()
    } finally {
      letGo()
    }
  }

  /** Keeps it open until the function that it returns is called. */
  hold (): () => void {
    let isHeld = true
    this.#users++

    return () => {
      if (isHeld) {
        isHeld = false
        this.#leave()
      }
    }
  }

  /**
   * Fills the targets in turn, from the position on or, where none is given, from where the last operation ended. Returns
   * how many bytes there were; fewer than asked for at the end of the file.
   *
   * @throws {FileSystemError} EBADF where it was not opened for reading
   */
  async read (targets: readonly Uint8Array[], position?: number, options: AbortOptions = {}): Promise<number> {
    if (!this.flags.read) {
      throw new FileSystemError('EBADF', 'read')
    }

    if (position !== undefined) {
      return this.#fill(targets, position, options)
    }

    return this.#inOrder(async () => {
      const count = await this.#fill(targets, this.#position, options)
      this.#position += count

      return count
    })
  }

  /**
   * Writes the parts one behind the other, at the position or, where none is given, from where the last operation ended.
   * Where it was opened to append, at the end of the file.
   *
   * @throws {FileSystemError} EBADF where it was not opened for writing, EFBIG
   */
  async write (parts: readonly Uint8Array[], position?: number, options: AbortOptions = {}): Promise<number> {
    if (!this.flags.write) {
      throw new FileSystemError('EBADF', 'write')
    }

    const bytes = parts.length === 1 ? parts[0] : concat(parts)

    await (position === undefined ? this.#inOrder(async () => this.#writeOn(bytes, options)) : this.#put(bytes, position, options))

    if (this.flags.sync) {
      await this.file.sync(options)
    }

    return bytes.byteLength
  }

  async #fill (targets: readonly Uint8Array[], position: number, options: AbortOptions): Promise<number> {
    let count = 0

    for (const target of targets) {
      const filled = await fill(this.#version ?? this.file, target, position + count, options)
      count += filled

      if (filled < target.byteLength) {
        break
      }
    }

    return count
  }

  async #writeOn (bytes: Uint8Array, options: AbortOptions): Promise<void> {
    this.#position = await this.#put(bytes, this.#position, options)
  }

  /** Returns where the bytes end in the file. */
  async #put (bytes: Uint8Array, position: number, options: AbortOptions): Promise<number> {
    return this.file.write(this.flags.append ? 'end' : position, bytes, options)
  }

  /** Is told of the first call of `close`; the function that it returns ends that. */
  onClose (listener: () => void): () => void {
    this.#closeListeners.add(listener)

    return () => {
      this.#closeListeners.delete(listener)
    }
  }

  /**
   * Closes it as soon as the operations that are under way have ended. Where it is aborted, the closing goes on, and what was
   * not stored stays in the draft.
   */
  async close (options: LimitOptions = {}): Promise<void> {
    throwIfAborted(options.signal)

    if (!this.#isClosing) {
      this.#isClosing = true
      this.#releaseOptions = options
      this.#leave()
      this.#closeListeners.forEach(listener => {
        listener()
      })
    }

    await untilAborted(this.#released.promise, options.signal)
  }

  #leave (): void {
    this.#users--

    if (this.#users === 0) {
      this.#number = -1
      this.#version?.release()
      this.#released.resolve(this.file.release(this.#releaseOptions))
    }
  }
}

async function fill (file: Pick<OpenFile, 'read'>, target: Uint8Array, offset: number, options: AbortOptions): Promise<number> {
  let filled = 0

  for await (const piece of file.read(offset, target.byteLength, options)) {
    target.set(piece, filled)
    filled += piece.byteLength
  }

  return filled
}
