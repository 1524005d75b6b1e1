import type { LogWriter, RecordChange } from './log-writer.ts'
import type { IndexOverlay } from '../block-index/index-overlay.ts'

/**
 * Takes into the index what the log has: all that there is when asked, or by itself where there is much. The index never
 * knows more than the log has on the disk.
 */
export class IndexUpdates {
  readonly #overlay: IndexOverlay
  readonly #log: LogWriter
  readonly #record: (change: RecordChange) => Promise<void>
  /** The last segment that the index was told to have an acknowledged record */
  #told: number
  #flushing: Promise<void> | undefined

  /**
   * @param overlay - what has the index
   * @param log - what the index follows
   * @param record - writes a record into the log
   */
  constructor (overlay: IndexOverlay, log: LogWriter, record: (change: RecordChange) => Promise<void>) {
    this.#overlay = overlay
    this.#log = log
    this.#record = record
    this.#told = log.lastSegment
  }

  /** Writes all that there is into the index, up to a record that is on the disk. */
  async flush (): Promise<void> {
    // one that is under way may have begun before what came last
    await this.settled()
    await this.#flushSome()
  }

  /** Begins to write the index where there is enough for that, and waits for nothing. */
  flushWhenDue (): void {
    if (this.#overlay.isDue && this.#flushing === undefined) {
      // a log that cannot be written fails the next commit, too
      this.#flushSome().catch(() => {})
    }
  }

  /**
   * Waits until something may be added to what the index does not have.
   *
   * @throws {StoreStateError} where there is as much as may be held, and the index cannot be written
   */
  async makeRoom (): Promise<void> {
    await this.#overlay.makeRoom(async () => this.#flushSome())
  }

  /** Has the index remember the first commit in each segment, so that it is missed where somebody deletes it. */
  tellOfSegment (): void {
    const { segment } = this.#log.position

    if (segment !== this.#told) {
      this.tell()
      this.#told = segment
    }
  }

  /** Has the index remember the last record that is on the disk. */
  tell (): void {
    if (this.#log.acknowledged > this.#overlay.acknowledged) {
      this.#overlay.acknowledge(this.#log.acknowledged)
    }
  }

  /** Waits for what is under way, however it ends. */
  async settled (): Promise<void> {
    await this.#flushing?.catch(() => {})
  }

  /** Waits for what is under way, and writes what is left then. */
  async finish (): Promise<void> {
    await this.#flushing

    if (this.#overlay.size > 0) {
      await this.flush()
    }
  }

  /** Writes the index, or waits for that where it is under way. */
  async #flushSome (): Promise<void> {
    this.#flushing ??= this.#overlay.flush(async take => {
      let coverage = this.#log.coverage
      await this.#record({
        onWritten: () => {
          take()
          coverage = new Map(this.#log.coverage)
        }
      })
      await this.#log.sync()

      return { coverage, acknowledged: this.#log.acknowledged }
    }).then(() => { this.tell() }).finally(() => {
      this.#flushing = undefined
    })

    await this.#flushing
  }
}
