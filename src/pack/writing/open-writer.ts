import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { StoreLockedError } from '../../errors.ts'
import { BlockIndex } from '../block-index/block-index.ts'
import { identify } from '../block-index/identity.ts'
import { load } from '../block-index/load.ts'
import { copyBeginning, writeAgain } from '../files/copy-beginning.ts'
import { isDiskFull } from '../files/error-code.ts'
import { idBytes, maxSegments } from '../format/record.ts'
import { endOf } from '../format/section.ts'
import { Claim } from '../format/store-file.ts'
import { createStore } from '../segments/create-store.ts'
import { requirePresent } from '../segments/missing-segment.ts'
import { maxSegmentNumber, Segments } from '../segments/segments.ts'
import { LogWriter } from './log-writer.ts'
import { removeLeftovers } from './remove-leftovers.ts'
import { WriterSession } from './writer-session.ts'
import type { LogState } from './log-writer.ts'
import type { Loaded, LoadOptions } from '../block-index/load.ts'
import type { OpenFile } from '../files/files.ts'
import type { Settings } from '../options.ts'
import type { WriterParts } from './writer-session.ts'

/**
 * Opens a store behind its lock, and makes it where there is none: claims it, finds the last record that verifies, and catches
 * up with the index.
 */
export async function openWriter (directory: string, settings: Settings, options: LoadOptions = {}): Promise<WriterSession> {
  const { files } = settings
  const isNew = await createStore.prepare(directory, settings)
  const lock = files.lock(path.join(directory, 'lock.sqlite'))

  if (lock === undefined) {
    throw new StoreLockedError('the pack store is open for writing already', { path: directory })
  }

  const segments = new Segments(files, directory)

  try {
    const isNewlyMade = isNew && (await segments.list()).length === 0

    const { store, file } = isNewlyMade ? { store: randomBytes(idBytes), file: undefined } : await identify(segments, options)
    // before the log is read: what a writer that lives on without its lock adds behind that is not acknowledged
    const claim = await Claim.take(files, directory, store, file)

    try {
      // what a writer that is opening the store at once has there, it refuses to go on with from here on
      await createStore.removeTemporary(directory, files)

      if (isNewlyMade) {
        await createStore.create(segments, store)
        segments.belongTo(store)
      }

      const loaded = await load(segments, store, id => BlockIndex.write(path.join(directory, 'index.sqlite'), id), options)

      return await openLoaded({ segments, loaded, lock, claim, settings }, { isNewlyMade, wasClosed: isNewlyMade || file?.isOpen === false })
    } catch (err) {
      try {
        // where another writer has the store by now, its work may be why a file is not there
        claim.requireOwn()
      } finally {
        await claim.close()
      }

      throw err
    }
  } catch (err) {
    await segments.close()
    lock.release()
    throw err
  }
}

/** How the store was left */
interface Left {
  readonly isNewlyMade: boolean
  /** Whether its last writer closed it, so that nobody else writes to its last segment */
  readonly wasClosed: boolean
}

async function openLoaded ({ segments, loaded, lock, claim, settings }: Omit<WriterParts, 'log'>, { isNewlyMade, wasClosed }: Left): Promise<WriterSession> {
  const { overlay, last, lost } = loaded

  try {
    if (last.record.sequence === 0 && !isNewlyMade) {
      // whoever made it may have been killed before its name was on the disk
      await createStore.syncNames(segments.directory, settings.files)
    }

    const log = await openLog({ segments, loaded, claim, settings }, wasClosed)

    if (lost !== undefined) {
      // the loss is accepted: from here on this is what there is
      overlay.acknowledge(log.acknowledged)
    }

    return new WriterSession({ segments, loaded, log, lock, claim, settings })
  } catch (err) {
    overlay.close()
    throw err
  }
}

async function openLog ({ segments, loaded, claim, settings }: Omit<WriterParts, 'log' | 'lock'>, wasClosed: boolean): Promise<LogWriter> {
  const { files, segmentBytes, pieceBytes, earlySyncBytes, durability } = settings
  const { file, isContinued } = await openEnd({ segments, loaded, claim }, wasClosed)

  try {
    const lastNumber = Math.max(...loaded.numbers, ...segments.foreign)
    await removeLeftovers(segments, loaded)

    const log = new LogWriter({ ...stateOf(loaded), lastNumber }, file, {
      files,
      directory: segments.directory,
      segments,
      claim,
      segmentBytes,
      pieceBytes,
      earlySyncBytes: durability === 'commit' ? earlySyncBytes : undefined
    })

    // where none can be begun, nobody else has this one's new file
    if (!isContinued && lastNumber < maxSegmentNumber && log.segments.length < maxSegments) {
      await log.seal()
    }

    return log
  } catch (err) {
    await file.close()
    throw err
  }
}

/**
 * Opens the segment with the last record. Where its last writer may live on, or left something behind the record, another file with
 * the same bytes up to there takes its place: whatever that writer still adds goes into a file without a name.
 */
async function openEnd ({ segments, loaded: { last: { record: { segment }, section } }, claim }: Pick<WriterParts, 'segments' | 'loaded' | 'claim'>, wasClosed: boolean): Promise<{ readonly file: OpenFile, readonly isContinued: boolean }> {
  const end = endOf(section)
  const file = await requirePresent(segments, segment, segments.files.open(segments.path(segment), 'write'))

  if (wasClosed && await file.size() === end) {
    return { file, isContinued: true }
  }

  const temporary = createStore.temporaryOf(segments.directory)

  try {
    await copyBeginning(segments.files, file, end, temporary)
    claim.requireOwn()
    await segments.replace(segment, temporary)
    await file.close()
  } catch (err) {
    if (isDiskFull(err)) {
      await createStore.removeTemporary(segments.directory, segments.files)

      return { file: await cutOff(file, end), isContinued: false }
    }

    await file.close()
    throw err
  }

  return { file: await segments.files.open(segments.path(segment), 'write'), isContinued: false }
}

/** Without room for another file, the bytes behind the record go, and the rest is written into its place again. */
async function cutOff (file: OpenFile, end: number): Promise<OpenFile> {
  try {
    await file.truncate(end)
    await writeAgain(file, file, end)
    await file.sync()

    return file
  } catch (err) {
    await file.close()
    throw err
  }
}

function stateOf ({ store, coverage, last: { record, section } }: Loaded): Omit<LogState, 'lastNumber'> {
  const { segment, id, segments, sequence, durable, from, to, roots } = record

  return {
    store,
    sequence,
    place: { segment, offset: section.offset },
    id,
    end: endOf(section),
    roots,
    segments,
    coverage,
    isClosing: sequence === 0 || (from === to && durable === sequence - 1)
  }
}
