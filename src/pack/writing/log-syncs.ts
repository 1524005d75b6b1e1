import pLimit from 'p-limit'
import type { WritingClaim } from './segment-claim.ts'
import type { OpenFile } from '../files/files.ts'

/** A segment, and what is asked after each sync: what nobody finds, or another writer does not see, is not told to be durable */
export interface WrittenSegment {
  readonly file: OpenFile
  readonly claim: WritingClaim
}

/** The segment that is written, and the last record in it */
export interface LogEnd extends WrittenSegment {
  readonly sequence: number
}

/**
 * Makes records durable, in the order of their segments. Where the system fails to, nobody can tell what is on the disk, so
 * that nothing more is written until the store is opened again.
 */
export class LogSyncs {
  readonly #mutex = pLimit(1)
  #durable: number
  #sealing: Promise<void> = Promise.resolve()
  #broken: { readonly reason: unknown } | undefined

  /**
   * @param durable - the sequence of the last record that is on the disk
   */
  constructor (durable: number) {
    this.#durable = durable
  }

  /** The sequence of the last record that is on the disk */
  get durable (): number {
    return this.#durable
  }

  get isBroken (): boolean {
    return this.#broken !== undefined
  }

  /** Has all that come from here on be refused for a reason, unless there is one already. */
  refuse (reason: unknown): void {
    this.#broken ??= { reason }
  }

  requireWhole (): void {
    if (this.#broken !== undefined) {
      throw this.#broken.reason
    }
  }

  /** Syncs a file. Its failure is kept, too, as is that the claim is gone by then. */
  async syncFile ({ file, claim }: WrittenSegment): Promise<void> {
    try {
      await file.sync()
      claim.requireOwn()
    } catch (err) {
      this.refuse(err)
      throw err
    }
  }

  /**
   * Makes the last record durable, and all that stands before it.
   *
   * @param end - asked for the last record at first, and again once segments before it are on the disk
   */
  async sync (end: () => LogEnd): Promise<void> {
    const wanted = end().sequence

    await this.#mutex(async () => {
      this.requireWhole()

      if (this.#durable >= wanted) {
        return
      }

      let sealed: Promise<void>

      do {
        sealed = this.#sealing
        await sealed
        // a new segment that waited for the same begins first: then there is one more to wait for
      } while (sealed !== this.#sealing)

      this.requireWhole()
      const last = end()
      await this.syncFile(last)
      this.requireWhole()
      this.#durable = Math.max(this.#durable, last.sequence)
    })
  }

  /** Begins to sync a complete segment, and closes its file then. To be called once `sealed` resolved. */
  seal (end: LogEnd): void {
    this.#sealing = this.#finish(end)
  }

  /** Waits until the segments before the current one are on the disk, or one of them failed. */
  async sealed (): Promise<void> {
    await this.#sealing
  }

  /** Its failure is kept where everybody who goes on looks. */
  async #finish (end: LogEnd): Promise<void> {
    try {
      try {
        await this.syncFile(end)
        this.#durable = Math.max(this.#durable, end.sequence)
      } finally {
        await end.file.close()
      }
    } catch (err) {
      this.refuse(err)
    }
  }
}
