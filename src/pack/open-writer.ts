import path from 'node:path'
import { StoreLockedError } from '../errors.ts'
import { BlockIndex } from './block-index.ts'
import { createStore } from './create-store.ts'
import { load } from './load.ts'
import { LogWriter } from './log-writer.ts'
import { endOf } from './section.ts'
import { Segments } from './segments.ts'
import { writeAgain } from './write-again.ts'
import { WriterSession } from './writer-session.ts'
import type { Loaded, LoadOptions } from './load.ts'
import type { LogState } from './log-writer.ts'
import type { Settings } from './options.ts'
import type { WriterParts } from './writer-session.ts'

/**
 * Opens a store behind its lock, and makes it where there is none: finds the last record that verifies, removes what
 * stands behind it, and catches up with the index.
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
    await createStore.removeTemporary(directory, files)

    const isNewlyMade = isNew && (await segments.list()).length === 0

    if (isNewlyMade) {
      await createStore.create(directory, segments, files)
    }

    const loaded = await load(segments, store => BlockIndex.write(path.join(directory, 'index.sqlite'), store), options)

    return await openLoaded({ segments, loaded, lock, settings }, isNewlyMade)
  } catch (err) {
    await segments.close()
    lock.release()
    throw err
  }
}

async function openLoaded ({ segments, loaded, lock, settings }: Omit<WriterParts, 'log'>, isNewlyMade: boolean): Promise<WriterSession> {
  const { catalog, last, lost } = loaded

  try {
    if (last.record.sequence === 0 && !isNewlyMade) {
      // whoever made it may have been killed before its name was on the disk
      await createStore.syncNames(segments.directory, settings.files)
    }

    const log = await openLog(segments, loaded, settings)

    if (lost !== undefined) {
      // the loss is accepted: from here on this is what there is
      catalog.acknowledge(log.acknowledged)
    }

    return new WriterSession({ segments, loaded, log, lock, settings })
  } catch (err) {
    catalog.close()
    throw err
  }
}

async function openLog (segments: Segments, loaded: Loaded, { files, segmentBytes, pieceBytes, earlySyncBytes, durability }: Settings): Promise<LogWriter> {
  const { record, section } = loaded.last
  const file = await files.open(segments.path(record.segment), 'write')

  try {
    // what stands behind the record was never vouched for; the record itself is, for all that come
    if (await file.size() > endOf(section)) {
      await file.truncate(endOf(section))
    }

    await writeAgain(file, loaded.store, loaded.last)
    await file.sync()
    await removeLeftovers(segments, loaded)

    return new LogWriter(stateOf(loaded), file, {
      files,
      directory: segments.directory,
      segments,
      segmentBytes,
      pieceBytes,
      earlySyncBytes: durability === 'commit' ? earlySyncBytes : undefined
    })
  } catch (err) {
    await file.close()
    throw err
  }
}

function stateOf ({ store, coverage, last: { record, section } }: Loaded): LogState {
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

async function removeLeftovers (segments: Segments, { numbers, last: { record } }: Loaded): Promise<void> {
  const known = new Set(record.segments)

  for (const segment of numbers) {
    if (!known.has(segment)) {
      await segments.unlink(segment)
    }
  }
}
