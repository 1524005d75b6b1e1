/** What happened to a path: it came, went or leads to something else now (`rename`), or its content changed (`change`). */
export type ChangeType = 'rename' | 'change'

type Listener = (type: ChangeType, path: string) => void

/** Edits from some time on, whoever they are for. */
export interface CollectedChanges {
  /** Tells of all that were kept, and then of each that comes */
  listen(listener: Listener): void
  /** Ends it */
  stop(): void
}

/**
 * Tells whoever watches of edits, by the path from the root on which no link is.
 */
export class ChangeEmitter {
  readonly #listeners = new Set<Listener>()

  /** False where telling would reach nobody: then the path need not be made out */
  get isWatched (): boolean {
    return this.#listeners.size > 0
  }

  tell (type: ChangeType, path: string): void {
    this.#listeners.forEach(listener => {
      listener(type, path)
    })
  }

  /** Keeps all later edits for a listener that is yet to come. */
  collect (): CollectedChanges {
    const early: Array<[ChangeType, string]> = []
    let take: Listener = (...change) => { early.push(change) }
    const listener: Listener = (...change) => { take(...change) }
    this.#listeners.add(listener)

    return {
      listen: next => {
        take = next
        early.forEach(change => { next(...change) })
      },
      stop: () => {
        this.#listeners.delete(listener)
      }
    }
  }
}
