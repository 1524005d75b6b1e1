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
import type { Stretch } from './list-blocks.ts'
import type { Session } from './session.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

export interface ScanBlocksOptions extends AbortOptions {
  /** Bytes that are read at once; 1 MiB by default */
  readonly readBytes?: number
}

/** The CIDs of all blocks that a store has, in the order in which they stand. */
export async function * liveBlocks (session: Session, { signal }: AbortOptions): AsyncGenerator<CID> {
  const log = new WholeLog(session)

  for await (const { file, stretch } of log.parts()) {
    for await (const listed of listBlocks(file, stretch, { signal })) {
      for (const { key, location } of listed) {
        const known = session.find(key)

        if (isSame(known, location)) {
          yield cidOf(key)
        } else if (known !== undefined) {
          log.miss()
        }
      }
    }
  }
}

/** All blocks that stand in the log, whether the store looks for them there or not. */
export async function * loggedBlocks (session: Session, { readBytes = 2 ** 20, signal }: ScanBlocksOptions): AsyncGenerator<BlockBatch> {
  const { store, segments } = session
  integerOption('readBytes', readBytes, 1, 2 ** 26)

  for await (const { file, stretch: { segment, from, end } } of new WholeLog(session).parts()) {
    yield * batchesOf(await SegmentScan.open({ file, path: segments.path(segment), segment, store, from, end: end ?? await file.size() }, readBytes), signal)
  }
}

async function * batchesOf (scan: SegmentScan, signal: AbortSignal | undefined): AsyncGenerator<BlockBatch> {
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
}

/**
 * The log, part by part: first all that there is, and where something of that was missed, whatever came behind it, as
 * compaction moves blocks there.
 */
class WholeLog {
  readonly #session: Session
  /** Where each segment ended when it was given */
  readonly #ends = new Map<number, number | undefined>()
  #isMissed = false

  constructor (session: Session) {
    this.#session = session
  }

  /** Told of a block that stood elsewhere by the time it was looked for. */
  miss (): void {
    this.#isMissed = true
  }

  /** Each part is open until the next one is asked for. */
  async * parts (): AsyncGenerator<{ readonly file: OpenFile, readonly stretch: Stretch }> {
    do {
      this.#isMissed = false

      for (const stretch of await this.#next()) {
        const file = await openUnlessRemoved(this.#session, stretch.segment)

        if (file === undefined) {
          this.miss()
          continue
        }

        try {
          yield { file, stretch }
        } finally {
          await this.#session.segments.release(file)
        }
      }
    } while (this.#isMissed)
  }

  async #next (): Promise<Stretch[]> {
    const stretches: Stretch[] = []

    for (const [segment, end] of await this.#session.ends()) {
      if (!this.#ends.has(segment) || this.#ends.get(segment) !== end) {
        stretches.push({ segment, from: this.#ends.get(segment) ?? 0, end })
        this.#ends.set(segment, end)
      }
    }

    return stretches
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
