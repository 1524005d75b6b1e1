import fs from 'node:fs'
import { crc32 } from 'node:zlib'
import { InvalidOptionError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { isInUse } from './files-in-use.ts'
import { withPath } from './read-host-file.ts'
import { recordFileAt, removeLeftovers, temporaryBeside } from './record-path.ts'
import { removeUnfinished } from './remove-unfinished.ts'
import { sampleTime, sampleTimeOfNew } from './sample-time.ts'
import { thenClose } from './then-close.ts'
import type { TimeSample } from './sample-time.ts'
import type { WritableFile } from './then-close.ts'
import type { AbortOptions } from '../../options.ts'

/**
 * A file of lines that each hold a JSON value behind a CRC-32, in hexadecimal digits, of it and of all values before:
 *
 * ```text
 * <crc-32> {"format":"dagfs-import-4", …what it is a record of}
 * <crc-32> {…}
 * ```
 *
 * Lines are only ever added. Where one is torn, damaged or of another writer, the file ends before it.
 */
export class RecordFile {
  readonly #path: string
  readonly #head: string
  /**
   * Behind what was read or added: lines are added there. Whoever read more than is of use sets it back. Undefined where there
   * is no file yet, or that of something else.
   */
  end: End | undefined

  /**
   * The record of what `subject` describes, at a path where there need be nothing.
   *
   * @throws {InvalidOptionError} where something else than a regular file stands there, or a store that this process has open
   */
  constructor (file: string, subject: object) {
    this.#path = recordFileAt(file)

    if (isInUse(this.#path)) {
      throw new InvalidOptionError('record', 'is a file of an open store or database; name another', { path: this.#path })
    }

    this.#head = JSON.stringify({ format, ...subject })
  }

  /** What time it is where the file is, which is asked of a file of ours alone; undefined where that cannot be found out. */
  sampleTime (): TimeSample | undefined {
    return this.end === undefined ? sampleTimeOfNew(temporaryBeside(this.#path)) : sampleTime(this.#path)
  }

  /**
   * Reads every line but the first; none where the file is a record of something else.
   *
   * @throws {InvalidOptionError} where the file was not made by this class
   * @throws {Error} what `node:fs` throws where it cannot be read
   */
  async * read (options: AbortOptions = {}): AsyncGenerator<unknown> {
    const bytes = await readIfThere(this.#path)

    if (bytes === undefined || bytes.every(byte => byte === 0)) {
      return
    }

    if (!opening.test(bytes.toString('latin1', 0, maxOpeningBytes)) && !this.#isBegun(bytes)) {
      throw new InvalidOptionError('record', 'is not the record of an import; remove it, or name another', { path: this.#path })
    }

    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, this.end?.position)) {
      await pace(options)
      const { position = 0, sum: before } = this.end ?? {}
      const sum = crc32(bytes.subarray(position + sumLength + 1, end), before)
      const json = bytes.toString('utf8', position + sumLength + 1, end)
      const isHead = position === 0

      if (bytes.toString('latin1', position, position + sumLength + 1) !== `${digits(sum)} ` || (isHead && json !== this.#head)) {
        return
      }

      this.end = { position: end + 1, sum }

      if (!isHead) {
        yield JSON.parse(json)
      }
    }
  }

  /** Whether a file ends before its first line does, which a power cut can leave. */
  #isBegun (bytes: Buffer): boolean {
    if (bytes.byteLength >= maxOpeningBytes) {
      return false
    }

    const text = bytes.toString('latin1')

    // a few digits alone can be a file of anybody
    return `${digits(crc32(this.#head))} ${this.#head}`.startsWith(text) || (openingSum.test(text) && openingHead.startsWith(text.slice(sumLength)))
  }

  /**
   * Adds lines behind those that were read, in place of whatever else the file holds; the event loop has its turns between
   * them. Where it fails or is aborted, the file has some of the lines.
   */
  async add (values: Iterable<object>, options: AbortOptions = {}): Promise<void> {
    if (this.end === undefined) {
      await this.replace(values, options)
      return
    }

    const { end } = this
    const file = open(this.#path, 'r+')

    this.end = await thenClose(file, async () => {
      cutOff(file, end.position)

      return write(file, end, values, options)
    })
  }

  /** Writes the file anew, with these lines alone, as `add` does; until it has all of them, it is what it was. */
  async replace (values: Iterable<object>, options: AbortOptions = {}): Promise<void> {
    const temporary = temporaryBeside(this.#path)
    const file = open(temporary, 'wx')

    try {
      const end = await thenClose(file, async () => write(file, writeLine(file, { position: 0 }, this.#head), values, options))
      fs.renameSync(temporary, this.#path)
      this.end = end
      removeLeftovers(this.#path)
    } catch (err) {
      removeUnfinished(temporary)
      throw err
    }
  }
}

/** Where the next line begins, and the sum of those before. */
export interface End {
  readonly position: number
  readonly sum?: number
}

async function write (file: WritableFile, start: End, values: Iterable<object>, options: AbortOptions): Promise<End> {
  let end = start

  for (const value of values) {
    await pace(options)
    end = writeLine(file, end, JSON.stringify(value))
  }

  return end
}

function writeLine (file: WritableFile, { position, sum: before }: End, json: string): End {
  const sum = crc32(json, before)

  return { position: position + writeWhole(file, Buffer.from(`${digits(sum)} ${json}\n`), position), sum }
}

function digits (sum: number): string {
  return sum.toString(16).padStart(sumLength, '0')
}

// what 3 recorded could be of a file in the middle of a write that took longer than two seconds
const format = 'dagfs-import-4'
// that of any version
const opening = /^[0-9a-f]+ {"format":"dagfs-import-/
const openingSum = /^[0-9a-f]{8} /
const openingHead = ' {"format":"dagfs-import-'
const maxOpeningBytes = 100
const sumLength = 8
// of some 10,000 files: to have another thread read it takes longer than all else of an import in which little changed
const maxBytesNow = 2 ** 20
const newline = 10

async function readIfThere (file: string): Promise<Buffer | undefined> {
  try {
    return fs.statSync(file).size > maxBytesNow ? await fs.promises.readFile(file) : fs.readFileSync(file)
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
      return
    }

    throw err
  }
}

function open (hostPath: string, flags: 'r+' | 'wx'): WritableFile {
  return { descriptor: fs.openSync(hostPath, flags, 0o600), hostPath }
}

function cutOff ({ descriptor, hostPath }: WritableFile, length: number): void {
  try {
    fs.ftruncateSync(descriptor, length)
  } catch (err) {
    throw withPath(err, hostPath)
  }
}

function writeWhole ({ descriptor, hostPath }: WritableFile, bytes: Uint8Array, position: number): number {
  let written = 0

  try {
    while (written < bytes.byteLength) {
      written += fs.writeSync(descriptor, bytes, written, bytes.byteLength - written, position + written)
    }
  } catch (err) {
    throw withPath(err, hostPath)
  }

  return written
}
