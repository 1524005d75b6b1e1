import { throwIfAborted } from '../../abort.ts'
import { AbortError } from '../../errors.ts'
import type { Descriptor } from './descriptor.ts'
import type { AbortOptions } from '../../options.ts'

/** Opens a file, or returns one that is open. */
export type Opener = () => Promise<Descriptor> | Descriptor

interface StreamUseOptions extends AbortOptions {
  /** Close the file when the stream is over */
  readonly autoClose: boolean
}

interface StreamEvents {
  /** Somebody closed the file under the stream */
  onClose(): void
  onAbort(error: AbortError): void
}

/**
 * What a stream has of a file, from when it is opened until the stream is over. An operation that is under way keeps the
 * file open until it has ended.
 */
export class StreamUse {
  readonly #open: Opener
  readonly #options: StreamUseOptions
  readonly #opened = Promise.withResolvers<Descriptor>()
  #isOver = false
  #letGo = (): void => {}
  #forgetSignal = (): void => {}

  constructor (open: Opener, options: StreamUseOptions) {
    this.#open = open
    this.#options = options
    // whoever waits for the descriptor is told
    this.#opened.promise.catch(() => {})
  }

  /** Opens the file. */
  async begin (events: StreamEvents): Promise<void> {
    this.#listen(events)

    try {
      throwIfAborted(this.#options.signal)
      const opening = this.#open()
      // what is open already must not be closed before it is held
      const descriptor = opening instanceof Promise ? await opening : opening
      const letGo = descriptor.hold()
      const forget = descriptor.onClose(() => {
        events.onClose()
      })

      this.#letGo = () => {
        forget()
        letGo()
      }
      this.#opened.resolve(descriptor)
    } catch (err) {
      this.#forgetSignal()
      this.#opened.reject(err)
      throw err
    }
  }

  #listen ({ onAbort }: StreamEvents): void {
    const { signal } = this.#options

    const abort = (): void => {
      onAbort(new AbortError(signal?.reason))
      // the stream carries the reason; what goes wrong in closing has nobody to be told
      this.leave().catch(() => {})
    }

    signal?.addEventListener('abort', abort, { once: true })
    this.#forgetSignal = () => {
      signal?.removeEventListener('abort', abort)
    }
  }

  get isOver (): boolean {
    return this.#isOver
  }

  /** Waits for the file to be open, where it is not yet. */
  async descriptor (): Promise<Descriptor> {
    return this.#opened.promise
  }

  /** The stream is over; only the first call does anything. */
  async leave (): Promise<void> {
    if (this.#isOver) {
      return
    }

    this.#isOver = true
    this.#forgetSignal()
    const descriptor = await this.#opened.promise
    this.#letGo()

    if (this.#options.autoClose) {
      await descriptor.close()
    }
  }
}
