/**
 * The parts as one, always a copy.
 */
export function concat (parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let offset = 0

  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.byteLength
  }

  return bytes
}

// what is claimed may be wrong; memory that nothing was written to costs next to nothing
const maxReservedBytes = 2 ** 26

/**
 * Puts parts together as they come, always a copy: each is copied while the next is waited for.
 *
 * @param parts - what comes
 * @param claimed - how many bytes they are said to be together
 */
export async function gather (parts: AsyncIterable<Uint8Array>, claimed: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(claimed <= maxReservedBytes ? claimed : 0)
  const rest: Uint8Array[] = []
  let length = 0

  for await (const part of parts) {
    if (length + part.byteLength <= bytes.byteLength && rest.length === 0) {
      bytes.set(part, length)
      length += part.byteLength
    } else {
      rest.push(part)
    }
  }

  return length === bytes.byteLength && rest.length === 0 ? bytes : concat([bytes.subarray(0, length), ...rest])
}

/**
 * Whether two byte arrays hold the same bytes.
 */
export function areEqualBytes (a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i])
}

const pageBytes = 4_096

/**
 * Gives small arrays that share pages of memory with others: where there are many, memory for each of them takes longer
 * to get than to fill. As long as one of a page is in use, all of it is kept.
 */
export class BytePages {
  #page = new ArrayBuffer(0)
  #taken = 0

  take (length: number): Uint8Array<ArrayBuffer> {
    if (this.#taken + length > this.#page.byteLength) {
      this.#page = new ArrayBuffer(Math.max(pageBytes, length))
      this.#taken = 0
    }

    this.#taken += length

    return new Uint8Array(this.#page, this.#taken - length, length)
  }
}
