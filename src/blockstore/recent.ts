/**
 * What was used last of something that is made of blocks, by CID, up to so many bytes of blocks. What a CID names never
 * changes, so nothing in it is ever out of date.
 */
export class Recent<T extends { readonly bytes: Uint8Array }> {
  readonly #maxBytes: number
  /** Least recently used first */
  readonly #items = new Map<string, T>()
  #bytes = 0

  constructor (maxBytes: number) {
    this.#maxBytes = maxBytes
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
    this.#bytes += item.bytes.byteLength

    for (const [oldestKey, oldest] of this.#items) {
      if (this.#bytes <= this.#maxBytes) {
        return
      }

      this.#items.delete(oldestKey)
      this.#bytes -= oldest.bytes.byteLength
    }
  }
}
