import { createHash } from 'node:crypto'

/**
 * What a scan came by; two scans of the same have to have seen the same
 */
export interface Seen {
  /**
   * Records, or whatever else a layer goes by
   */
  readonly pieces: number
  readonly bytes: number
  /**
   * How often the property was what
   */
  readonly tally?: Readonly<Record<string, number>>
  /**
   * sha2-256 over all bytes, one piece after the other
   */
  readonly digest?: string
}

/**
 * What is done with every piece
 */
export interface Consumer {
  take(this: void, bytes: Uint8Array): void
  seen(): Seen
}

/**
 * Only counts what there is.
 */
export function counting (): Consumer {
  let pieces = 0
  let bytes = 0

  return {
    take (piece) {
      pieces++
      bytes += piece.byteLength
    },
    seen: () => ({ pieces, bytes })
  }
}

/**
 * Takes a hash over all of it, which needs longer than any layer.
 */
export function hashing (): Consumer {
  const hash = createHash('sha256')
  const { take, seen } = counting()

  return {
    take (piece) {
      take(piece)
      hash.update(piece)
    },
    seen: () => ({ ...seen(), digest: hash.copy().digest('hex') })
  }
}

/**
 * Reads something of every record, and counts how often it was what.
 */
export function tallying (read: (bytes: Uint8Array) => unknown): Consumer {
  const { take, seen } = counting()
  const tally = new Map<unknown, number>()

  return {
    take (piece) {
      const value = read(piece)

      take(piece)
      tally.set(value, (tally.get(value) ?? 0) + 1)
    },
    seen: () => ({ ...seen(), tally: Object.fromEntries([...tally].map(([value, count]) => [String(value), count] as const).sort(([a], [b]) => a < b ? -1 : 1)) })
  }
}
