import type { OpenFile } from './files.ts'

const usualBytes = 2 ** 20

/** A part of a file that is held in memory, and follows whoever reads on. What it gives are views, which the next read overwrites. */
export class FileWindow {
  readonly #file: OpenFile
  readonly #to: number
  // not a Buffer, whose slice() would not copy what is kept of it
  #buffer = new Uint8Array(0)
  #start = 0
  #length = 0

  /**
   * @param file - a segment
   * @param to - where to end reading it
   */
  constructor (file: OpenFile, to: number) {
    this.#file = file
    this.#to = to
  }

  /** Returns the bytes from a position on, once there are as many as wanted, or all that exist. */
  async at (position: number, wanted: number): Promise<Uint8Array> {
    return this.held(position, Math.min(wanted, this.#to - position)) ?? await this.#read(position, wanted)
  }

  /** Returns the bytes held from a position on, if there are at least that many. */
  held (position: number, length: number): Uint8Array | undefined {
    const isHeld = position >= this.#start && position + length <= this.#start + this.#length

    return isHeld ? this.#buffer.subarray(position - this.#start, this.#length) : undefined
  }

  async #read (position: number, wanted: number): Promise<Uint8Array> {
    const left = Math.max(0, this.#to - position)
    const neededBytes = Math.min(Math.max(wanted, usualBytes), left)

    if (this.#buffer.byteLength < neededBytes) {
      this.#buffer = new Uint8Array(neededBytes)
    }

    this.#length = 0
    const length = await this.#file.read(this.#buffer.subarray(0, Math.min(this.#buffer.byteLength, left)), position)
    this.#start = position
    this.#length = length

    return this.#buffer.subarray(0, length)
  }
}
