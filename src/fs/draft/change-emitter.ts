/** What happened to a path: it came, went or leads to something else now (`rename`), or its content changed (`change`). */
export type ChangeType = 'rename' | 'change'

type Listener = (type: ChangeType, path: string) => void

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

  /** Tells of all later edits, until the answer is called. */
  listen (listener: Listener): () => void {
    this.#listeners.add(listener)

    return () => {
      this.#listeners.delete(listener)
    }
  }
}
