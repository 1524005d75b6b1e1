/**
 * What was used last of something that is made of blocks, by CID, up to so many bytes of memory: `heldBytes` says how many an item
 * takes. What a CID names never changes, so nothing in it is ever out of date.
 */
export class Recent<T> {
  readonly #maxBytes: number
  readonly #heldBytes: (item: T) => number
  /** Least recently used first */
  readonly #items = new Map<string, T>()
  #bytes = 0

  constructor (maxBytes: number, heldBytes: (item: T) => number) {
    this.#maxBytes = maxBytes
    this.#heldBytes = heldBytes
  }

  get (key: string): T | undefined {
    const item = this.#items.get(key)

    if (item !== undefined) {
      this.#items.delete(key)
      this.#items.set(key, item)
    }

    return item
  }

  set (key: string, item: T): void {
    if (this.#items.has(key)) {
      return
    }

    this.#items.set(key, item)
    this.#bytes += this.#heldBytes(item)

    for (const [oldestKey, oldest] of this.#items) {
      if (this.#bytes <= this.#maxBytes) {
        return
      }

      this.#items.delete(oldestKey)
      this.#bytes -= this.#heldBytes(oldest)
    }
  }
}
