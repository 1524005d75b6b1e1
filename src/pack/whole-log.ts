import { integerOption } from '../options.ts'
import { pace } from '../pace.ts'
import { isSame } from './catalog.ts'
import { isErrorCode } from './error-code.ts'
import { listBlocks } from './list-blocks.ts'
import { missingSegment } from './missing-segment.ts'
import { cidOf } from './section.ts'
import { SegmentScan } from './segment-scan.ts'
import type { BlockBatch } from './block-batch.ts'
import type { OpenFile } from './files.ts'
import type { Session } from './session.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

export interface ScanBlocksOptions extends AbortOptions {
  /** Bytes that are read at once; 1 MiB by default */
  readonly readBytes?: number
}

/** The CIDs of all blocks that a store has, in the order in which they stand. */
export async function * liveBlocks (session: Session, { signal }: AbortOptions): AsyncGenerator<CID> {
  for await (const { segment, end } of allSegments(session)) {
    for (const { key, location } of await listBlocks(session.segments, segment, end, { signal })) {
      if (isSame(session.find(key), location)) {
        yield cidOf(key)
      }
    }
  }
}

/** All blocks that stand in the log, whether the store looks for them there or not. */
export async function * loggedBlocks (session: Session, { readBytes = 2 ** 20, signal }: ScanBlocksOptions): AsyncGenerator<BlockBatch> {
  const { store, segments } = session
  integerOption('readBytes', readBytes, 1, 2 ** 26)

  for await (const { segment, end } of allSegments(session)) {
    const file = await openUnlessRemoved(session, segment)

    if (file === undefined) {
      continue
    }

    try {
      const scan = await SegmentScan.open({ file, path: segments.path(segment), segment, store, end: end ?? await file.size() }, readBytes)

      while (!scan.isAtEnd) {
        const turn = pace({ signal })

        if (turn !== undefined) {
          await turn
        }

        const next = scan.next()
        const batch = next instanceof Promise ? await next : next

        if (batch.length > 0) {
          yield batch
        }
      }
    } finally {
      await segments.release(file)
    }
  }
}

/** The segments of a store, and those that come while they are looked at: compaction moves blocks there. */
async function * allSegments (session: Session): AsyncGenerator<{ segment: number, end: number | undefined }> {
  const seen = new Set<number>()

  for (let isNew = true; isNew;) {
    isNew = false

    for (const [segment, end] of await session.ends()) {
      if (!seen.has(segment)) {
        seen.add(segment)
        isNew = true
        yield { segment, end }
      }
    }
  }
}

/** What stays of a segment that compaction has removed stands in a later one. */
async function openUnlessRemoved (session: Session, segment: number): Promise<OpenFile | undefined> {
  try {
    return await session.segments.open(segment)
  } catch (err) {
    if (!isErrorCode(err, 'ENOENT')) {
      throw err
    }

    if (!(await session.ends()).has(segment)) {
      return undefined
    }

    throw missingSegment(session.segments.path(segment), err)
  }
}
