import fs from 'node:fs'
import { promisify } from 'node:util'
import { SourceChangedError } from '../../errors.ts'
import { closeRead, inUse, isInUse, readFlags, startBytes } from './files-in-use.ts'
import { pieceBytes } from './piece-memory.ts'
import type { PieceMemory } from './piece-memory.ts'

const readAsync = promisify(fs.read)

/**
 * Files up to this size are read at once, without a way through the thread pool: four times as fast for the many small
 * files of a source tree, and over before the event loop would miss its turn.
 */
const readAtOnceBytes = 2 ** 20

/** A host file that is open. */
interface OpenedFile {
  readonly descriptor: number
  readonly path: string
  readonly stat: HostStat
}

/** What tells a file from what it was or will be. */
export type HostStat = Pick<fs.BigIntStats, 'size' | 'mode' | 'mtimeNs' | 'ctimeNs' | 'ino'>

/** What a host file was when it was found: its metadata and, where there was room, its bytes. */
export interface HostFile {
  readonly stat: HostStat
  /** A part of the room that there was for it */
  readonly bytes: Uint8Array | undefined
}

/**
 * Looks at a file, and reads it where there is room.
 *
 * @param path - the file
 * @param roomFor - a buffer of at least so many bytes, or undefined where the file is not to be read
 *
 * @throws {SourceChangedError} where it is no longer there, something else is, or it changed while it was read
 * @throws {UnsupportedEntryError} where this process has a lock on it, or it is that of a store that is open
 * @throws {Error} what `node:fs` throws where it cannot be read
 */
export function readHostFile (path: string, roomFor: (bytes: number) => Uint8Array | undefined): HostFile {
  const file = openHostFile(path)
  let start: Uint8Array | undefined
  let isRead = false

  try {
    // files that only seem to be empty, such as those of /proc, are not read as if they were
    const expected = Math.max(1, Number(file.stat.size))
    const room = expected > readAtOnceBytes ? undefined : roomFor(expected)

    isRead = room !== undefined
    start = room === undefined ? undefined : readAtOnce(file, room, expected)

    return { stat: file.stat, bytes: start }
  } finally {
    closeRead(file.descriptor, path, { isRead, start })
  }
}

function openHostFile (path: string): OpenedFile {
  if (isInUse(path)) {
    throw inUse(path)
  }

  const descriptor = open(path)

  try {
    const stat = look({ descriptor, path })

    if (!stat.isFile()) {
      throw changed(path)
    }

    return { descriptor, path, stat }
  } catch (err) {
    closeRead(descriptor, path, { isRead: false })
    throw err
  }
}

function look ({ descriptor, path }: Pick<OpenedFile, 'descriptor' | 'path'>): fs.BigIntStats {
  try {
    return fs.fstatSync(descriptor, { bigint: true })
  } catch (err) {
    throw withPath(err, path)
  }
}

function open (path: string): number {
  try {
    return fs.openSync(path, readFlags)
  } catch (err) {
    // ELOOP: a link has taken its place
    throw ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(codeOf(err)) ? changed(path, err) : err
  }
}

function codeOf (err: unknown): string {
  return err instanceof Error && 'code' in err ? String(err.code) : ''
}

function changed (path: string, cause?: unknown): SourceChangedError {
  return new SourceChangedError('the file changed or vanished while it was imported', { path, cause })
}

function readAtOnce (file: OpenedFile, buffer: Uint8Array, expected: number): Uint8Array {
  let length = 0

  while (length < expected) {
    const count = readSome(file, buffer, length, expected - length)
    length += count

    if (count === 0) {
      break
    }
  }

  checkUnchanged(file, length)

  return buffer.subarray(0, length)
}

function readSome (file: OpenedFile, bytes: Uint8Array, offset: number, length: number): number {
  try {
    return fs.readSync(file.descriptor, bytes, offset, length, null)
  } catch (err) {
    throw withPath(err, file.path)
  }
}

/**
 * Reads a large file piece by piece. It is opened with the first piece and closed with the last.
 *
 * @throws {SourceChangedError} where it is no longer as it was found, at the latest at its end
 */
export async function * readInPieces (path: string, found: HostStat, memory: PieceMemory): AsyncGenerator<Uint8Array> {
  const file = { ...openHostFile(path), stat: found }
  const size = Number(found.size)
  let length = 0
  const readNext = (): Promise<Uint8Array> => {
    const left = size - length
    // at its end the file is asked once more, for a byte that must not be there
    const reading = fill(file, left < pieceBytes ? Buffer.allocUnsafeSlow(Math.max(1, left)) : memory.take())
    // it is awaited in its turn; until then a failure must not count as unhandled
    reading.catch(() => {})

    return reading
  }
  let next = readNext()
  let start: Uint8Array | undefined

  try {
    for (;;) {
      const bytes = await next
      start ??= Uint8Array.from(bytes.subarray(0, startBytes))
      length += bytes.byteLength

      // a file that grows as fast as it is read would never end
      if (bytes.byteLength === 0 || length > size) {
        break
      }

      // while whoever asked has this piece in work
      next = readNext()
      yield memory.lend(bytes)
    }

    checkUnchanged(file, length)
  } finally {
    await Promise.allSettled([next])
    closeRead(file.descriptor, path, { isRead: true, start })
  }
}

/** Reads until the buffer is full, so that a chunk is one buffer and need not be copied together. */
async function fill (file: OpenedFile, bytes: Uint8Array): Promise<Uint8Array> {
  let length = 0

  while (length < bytes.byteLength) {
    const { bytesRead } = await readAsync(file.descriptor, bytes, length, bytes.byteLength - length, null).catch(err => { throw withPath(err, file.path) })

    if (bytesRead === 0) {
      break
    }

    length += bytesRead
  }

  return bytes.subarray(0, length)
}

function checkUnchanged (file: OpenedFile, length: number): void {
  const { stat } = file
  const now = look(file)

  if (BigInt(length) !== stat.size || now.size !== stat.size || now.ino !== stat.ino || now.mtimeNs !== stat.mtimeNs || now.ctimeNs !== stat.ctimeNs) {
    throw changed(file.path)
  }
}

/** Adds the path to what a call on an open file throws: node does not know it. */
export function withPath (err: unknown, path: string): unknown {
  return err instanceof Error ? Object.assign(err, { path }) : err
}
