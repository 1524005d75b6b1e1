import { InvalidOptionError, LimitExceededError } from './errors.ts'
import type { AbortOptions } from './options.ts'

/**
 * What a call may read of a tree. A few hostile blocks that link to each other can stand for 2^40 paths, so each call that
 * goes through a tree counts what it does. `Infinity` lifts a limit.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, LimitExceededError } from 'dagfs'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.addAll([{ path: '/a', content: '' }, { path: '/b', content: '' }])
 *
 * try {
 *   await fs.readdir('/', { recursive: true, limits: { entries: 1 } })
 * } catch (err) {
 *   console.log(err instanceof LimitExceededError && err.exceeded) // entries
 * }
 * ```
 */
export interface Limits {
  /** Entries that the call looks at. A long path counts once more for every 256 characters where the call keeps it */
  readonly entries?: number
  /** Blocks that it reads, each as often as it comes: of directories, or of a file that is stored anew */
  readonly blocks?: number
  /** Bytes of these blocks */
  readonly bytes?: number
}

/**
 * Options of a call that goes through a tree.
 */
export interface LimitOptions extends AbortOptions {
  /** Fail with a `LimitExceededError` where the call would read more than this */
  readonly limits?: Limits
}

/** What is handed down to whatever reads for a call. */
export interface ReadOptions extends AbortOptions {
  readonly budget?: Budget | undefined
}

/** For calls that hold what they find: a few hundred MB, and some seconds. */
export const heldLimits = { entries: 1_000_000, blocks: 4_000_000, bytes: 2 ** 30 } as const

/** For calls that give what they find bit by bit, but may go on for long between two bits. */
export const streamedLimits = { entries: 4_000_000, blocks: 16_000_000, bytes: 2 ** 33 } as const

/** For a changed file that is stored anew as a whole: some 10 to 30 seconds. */
export const rewriteLimits = { blocks: 1_000_000, bytes: 2 ** 34 } as const

const units = ['entries', 'blocks', 'bytes'] as const

export type Unit = typeof units[number]

// names may have 255 bytes and lie 1,024 deep, so that entries alone bound no memory
const charactersPerEntry = 256

/**
 * Counts what one call reads, and ends it.
 */
export class Budget {
  readonly #limits: Limits
  readonly #path: string
  readonly #spent = { entries: 0, blocks: 0, bytes: 0 }

  private constructor (limits: Limits, path: string) {
    this.#limits = limits
    this.#path = path
  }

  /**
   * The budget of a call: what its caller says, and otherwise the defaults. Without either a unit is not limited. Errors name the
   * path, which is what the call is about.
   *
   * @throws {InvalidOptionError} for limits that are none
   */
  static of (limits: Limits | undefined, defaults: Limits, path: string): Budget {
    checkLimits(limits)

    return new Budget({
      entries: limits?.entries ?? defaults.entries,
      blocks: limits?.blocks ?? defaults.blocks,
      bytes: limits?.bytes ?? defaults.bytes
    }, path)
  }

  /**
   * @throws {LimitExceededError} where that is more than there is
   */
  spend (unit: Unit, amount: number): void {
    this.#spent[unit] += amount
    const limit = this.#limits[unit]

    if (limit !== undefined && this.#spent[unit] > limit) {
      throw new LimitExceededError(`the call reads more than ${limit} ${unit}; raise limits.${unit} if you trust the tree`, { path: this.#path, limit, exceeded: unit })
    }
  }

  /** Counts an entry, which was counted once, for its path: to be called where paths are kept. */
  lengthen (path: string): void {
    this.spend('entries', Math.floor(path.length / charactersPerEntry))
  }
}

function checkLimits (limits: Limits | undefined): void {
  if (limits === undefined) {
    return
  }

  if (typeof limits !== 'object' || limits === null) {
    throw new InvalidOptionError('limits', 'must be an object such as { entries: 1_000_000 }')
  }

  for (const [unit, limit] of Object.entries(limits)) {
    if (!units.some(known => known === unit)) {
      throw new InvalidOptionError(`limits.${unit}`, `is unknown, expected one of ${units.join(', ')}`)
    }

    if (limit !== undefined && limit !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(limit) && limit >= 0)) {
      throw new InvalidOptionError(`limits.${unit}`, `must be a non-negative integer or Infinity, got ${String(limit)}`)
    }
  }
}
