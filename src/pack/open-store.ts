import { StoreStateError } from '../errors.ts'
import { ReaderSession } from './reading/reader-session.ts'
import { openWriter } from './writing/open-writer.ts'
import type { Settings } from './options.ts'
import type { Session } from './session.ts'
import type { WriterSession } from './writing/writer-session.ts'

/** A store that is open: what reads it, and what writes to it where that may be done. */
export interface OpenStore {
  readonly session: Session
  readonly writer?: WriterSession
}

interface OpenOptions {
  /** Whether to open it although its end is missing */
  readonly acceptLoss?: boolean
}

/** Opens a store beside a process that may write to it. */
export async function openForReading (directory: string, settings: Settings, options?: OpenOptions): Promise<OpenStore> {
  return { session: await ReaderSession.open(directory, settings, options) }
}

/** Opens a store that nobody else writes to meanwhile. */
export async function openForWriting (directory: string, settings: Settings, options?: OpenOptions): Promise<OpenStore> {
  const writer = await openWriter(directory, settings, options)

  return { session: writer, writer }
}

/** @throws {StoreStateError} where the store is open for reading only */
export function writerOf ({ session, writer }: OpenStore): WriterSession {
  if (writer === undefined) {
    throw new StoreStateError('the pack store is open for reading only', { path: session.segments.directory })
  }

  return writer
}
