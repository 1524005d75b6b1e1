import pLimit from 'p-limit'
import type { OpenFile } from '../files/files.ts'
import type { Claim } from '../format/store-file.ts'

/** The segment that is written, and the last record in it */
export interface LogEnd {
  readonly file: OpenFile
  readonly sequence: number
}

/**
 * Makes records durable, in the order of their segments. Where the system fails to, nobody can tell what is on the disk, so
 * that nothing more is written until the store is opened again.
 */
export class LogSyncs {
  readonly #mutex = pLimit(1)
  readonly #claim: Pick<Claim, 'requireOwn'>
  #durable: number
  #sealing: Promise<void> = Promise.resolve()
  #broken: { readonly reason: unknown } | undefined

  /**
   * @param durable - the sequence of the last record that is on the disk
   * @param claim - asked after each sync: what another writer does not see is not told to be durable
   */
  constructor (durable: number, claim: Pick<Claim, 'requireOwn'>) {
    this.#durable = durable
    this.#claim = claim
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

  /** Syncs a file. Its failure is kept, too, as is that another writer has opened the store by then. */
  async syncFile (file: OpenFile): Promise<void> {
    try {
      await file.sync()
      this.#claim.requireOwn()
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
      const { file, sequence } = end()
      await this.syncFile(file)
      this.requireWhole()
      this.#durable = Math.max(this.#durable, sequence)
    })
  }

  /** Begins to make a segment durable that is complete, and closes its file then; to be called once `sealed` answered. */
  seal (end: LogEnd): void {
    this.#sealing = this.#finish(end)
  }

  /** Waits until the segments before the current one are on the disk, or one of them failed. */
  async sealed (): Promise<void> {
    await this.#sealing
  }

  /** Its failure is kept where everybody who goes on looks. */
  async #finish ({ file, sequence }: LogEnd): Promise<void> {
    try {
      try {
        await this.syncFile(file)
        this.#durable = Math.max(this.#durable, sequence)
      } finally {
        await file.close()
      }
    } catch (err) {
      this.refuse(err)
    }
  }
}
