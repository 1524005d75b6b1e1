import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { concat } from '../../bytes.ts'
import { CorruptStoreError, NotFoundError } from '../../errors.ts'
import { isErrorCode } from '../files/error-code.ts'
import { unlessMissing } from '../files/unless-missing.ts'
import { encodeCommit, idBytes } from '../format/record.ts'
import { encodeSegmentHead, recordSection } from '../format/segment-head.ts'
import { RangeDigest } from '../scanning/range-digest.ts'
import { segmentNumber } from './segments.ts'
import type { Files } from '../files/files.ts'
import type { Settings } from '../options.ts'
import type { Segments } from './segments.ts'

const indexName = 'index.sqlite'
const temporaryPattern = /^(?:segment|store)(?:-[0-9a-f]{8})?\.tmp$/
const ownNames = /^store$|^(?:lock|index)\.sqlite(?:-wal|-shm|-journal)?$|\.tmp$/

/**
 * Looks whether a directory is a store. One that is empty or absent becomes one; one that holds other things is left
 * alone.
 *
 * @returns whether it has no segment yet
 * @throws {CorruptStoreError} where it is no directory, is no store and has files, or is a store without any segment
 * @throws {NotFoundError} where there is none and none may be made
 */
async function prepare (directory: string, { files, createIfMissing, readonly }: Settings): Promise<boolean> {
  const names = await list(files, directory)

  if (names?.some(name => segmentNumber(name) !== undefined) === true) {
    return false
  }

  if (names?.some(name => !ownNames.test(name)) === true) {
    throw new CorruptStoreError('the directory is not a pack store', { path: directory })
  }

  // the first segment is there before the index is: a new store in its place would take the name of the one that is lost
  if (names?.includes(indexName) === true) {
    throw new CorruptStoreError(`the pack store has lost its segments: restore them, or delete ${indexName} to begin an empty one`, { path: directory })
  }

  if (readonly || !createIfMissing) {
    throw new NotFoundError('there is no pack store', { path: directory })
  }

  await files.makeDirectory(directory)

  return true
}

/** Makes the first segment, with a record, under another name first: a segment without a record is never the only one. */
async function create (segments: Segments, store: Uint8Array): Promise<void> {
  const { directory, files } = segments
  const id = randomBytes(idBytes)
  const head = await encodeSegmentHead({ store, segment: 1, id })
  const digest = new RangeDigest()
  digest.add(head)
  const record = encodeCommit({ store, id, sequence: 0, durable: 0, segment: 1, from: 0, to: head.byteLength, digest: digest.digest(), previous: undefined, roots: new Map(), segments: [1], removed: [] })
  const temporary = temporaryOf(directory)
  const file = await files.open(temporary, 'create')

  try {
    await file.write(concat([head, await recordSection(record)]), 0)
    await file.sync()
  } finally {
    await file.close()
  }

  await files.rename(temporary, segments.path(1))
  await syncNames(directory, files)
}

/** Makes the names of the first segment and of the store's directory durable. */
async function syncNames (directory: string, files: Files): Promise<void> {
  await files.syncDirectory(directory)
  await files.syncDirectory(path.dirname(directory))
}

/** A name of its own for each opening: another process that opens the store at once cannot put its file in the place of ours. */
function temporaryOf (directory: string): string {
  return path.join(directory, `segment-${randomBytes(4).toString('hex')}.tmp`)
}

/** Removes what interrupted creations and openings left. */
async function removeTemporary (directory: string, files: Files): Promise<void> {
  for (const name of await files.list(directory)) {
    if (temporaryPattern.test(name)) {
      await unlessMissing(removeFile(files, path.join(directory, name)))
    }
  }
}

/** A directory with such a name is none of ours, and stays. */
async function removeFile (files: Files, name: string): Promise<void> {
  try {
    await files.unlink(name)
  } catch (err) {
    // the one on Linux, the other elsewhere
    if (!isErrorCode(err, 'EISDIR') && !isErrorCode(err, 'EPERM')) {
      throw err
    }
  }
}

async function list (files: Files, directory: string): Promise<string[] | undefined> {
  try {
    return await files.list(directory)
  } catch (err) {
    if (isErrorCode(err, 'ENOENT')) {
      return
    }

    throw isErrorCode(err, 'ENOTDIR') ? new CorruptStoreError('the path of the pack store is not a directory', { path: directory, cause: err }) : err
  }
}

export const createStore = { prepare, create, removeTemporary, syncNames, temporaryOf }
