import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { InvalidOptionError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import type { AbortOptions } from '../../options.ts'

/**
 * A file of lines that each hold a JSON value behind a hash of it and of the line before:
 *
 * ```text
 * <sha2-256> {"format":"dagfs-import-2", …what it is a record of}
 * <sha2-256> {…}
 * ```
 *
 * Lines are only ever added. Where one is torn, damaged or of another writer, the file ends before it.
 */
export class RecordFile {
  readonly #path: string
  readonly #head: string
  /** Where the next line begins; undefined where there is no file yet, or that of something else */
  #end: number | undefined
  #hash = ''

  /**
   * The record of what `subject` describes, at a path where there need be nothing.
   */
  constructor (path: string, subject: object) {
    this.#path = path
    this.#head = JSON.stringify({ format, ...subject })
  }

  /**
   * Reads every line but the first; none where the file is a record of something else.
   *
   * @throws {InvalidOptionError} where the file was not made by this class
   * @throws {Error} what `node:fs` throws where it cannot be read
   */
  async * read (options: AbortOptions = {}): AsyncGenerator<unknown> {
    const bytes = readIfThere(this.#path)

    if (bytes === undefined || bytes.every(byte => byte === 0)) {
      return
    }

    if (!bytes.subarray(hashLength + 1).toString('latin1', 0, opening.length).startsWith(opening)) {
      throw new InvalidOptionError('record', 'names a file that is no record of an import; remove it, or name another', { path: this.#path })
    }

    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, this.#end)) {
      await pace(options)
      const json = this.#take(bytes.toString('utf8', this.#end ?? 0, end))

      if (json === undefined || (this.#end === undefined && json !== this.#head)) {
        return
      }

      const isHead = this.#end === undefined
      this.#hash = hashOf(this.#hash, json)
      this.#end = end + 1

      if (!isHead) {
        yield JSON.parse(json)
      }
    }
  }

  #take (line: string): string | undefined {
    const json = line.slice(hashLength + 1)

    return line === `${hashOf(this.#hash, json)} ${json}` ? json : undefined
  }

  /** Adds lines behind those that were read, in place of whatever else the file holds. */
  add (values: Iterable<object>): void {
    if (this.#end === undefined) {
      this.replace(values)
      return
    }

    const descriptor = fs.openSync(this.#path, 'r+')

    try {
      fs.ftruncateSync(descriptor, this.#end)
      this.#end = this.#write(descriptor, this.#end, values)
    } finally {
      fs.closeSync(descriptor)
    }
  }

  /** Writes the file anew, with these lines alone. */
  replace (values: Iterable<object>): void {
    const temporary = `${this.#path}.${process.pid}.tmp`
    this.#hash = ''

    try {
      const descriptor = fs.openSync(temporary, 'w', 0o600)

      try {
        const end = this.#write(descriptor, 0, [JSON.parse(this.#head)])
        this.#end = this.#write(descriptor, end, values)
      } finally {
        fs.closeSync(descriptor)
      }

      fs.renameSync(temporary, this.#path)
    } catch (err) {
      fs.rmSync(temporary, { force: true })
      throw err
    }
  }

  #write (descriptor: number, start: number, values: Iterable<object>): number {
    let position = start

    for (const value of values) {
      const json = JSON.stringify(value)
      this.#hash = hashOf(this.#hash, json)
      position += writeWhole(descriptor, Buffer.from(`${this.#hash} ${json}\n`), position)
    }

    return position
  }
}

const format = 'dagfs-import-2'
const opening = '{"format":"dagfs-import-'
const hashLength = 64
const newline = 10

function hashOf (before: string, json: string): string {
  return createHash('sha256').update(before).update(json).digest('hex')
}

function readIfThere (path: string): Buffer | undefined {
  try {
    return fs.readFileSync(path)
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
      return
    }

    throw err
  }
}

function writeWhole (descriptor: number, bytes: Uint8Array, position: number): number {
  let written = 0

  while (written < bytes.byteLength) {
    written += fs.writeSync(descriptor, bytes, written, bytes.byteLength - written, position + written)
  }

  return written
}
