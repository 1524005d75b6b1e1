/**
 * One of the many tries of a part, told apart by its number: the same number and seed make the same try.
 */
export interface Case {
  readonly number: number
  /** Another one for each case */
  readonly seed: number
  /** Random numbers from 0 to 1 that begin with the seed */
  next(): number
}

/** What a case came to. */
export interface Outcome {
  /** How much of what is counted it was; 1 where it is not said */
  readonly units?: number
  /** The worst that was seen of something, such as `reopening, ms`; the largest of all cases is reported */
  readonly worst?: Readonly<Record<string, number>>
}

/** Tries of a part, and what they share. */
export interface Cases {
  /** Runs one case, and throws where what is claimed does not hold */
  run(given: Case): Promise<Outcome | void>
  close(): Promise<void>
}

/**
 * A claim that many random cases try to break: few of them in the tests, many in `npm run torture`.
 */
export interface Part {
  /** The claim, as the title of a test */
  readonly claim: string
  /** Whether it compares with Node.js itself */
  readonly isBesideNode?: boolean
  /** What is counted, in the plural */
  readonly unit: string
  /** How many of them at full size, and in the tests */
  readonly full: number
  readonly daily: number
  open(): Promise<Cases>
}

/** The case of a number: neighbours have nothing in common. */
export function caseOf (seed: number, number: number): Case {
  const mixed = mix(mix(seed) ^ number)
  let state = mixed

  return {
    number,
    seed: mixed,
    next () {
      state = (state + 0x9e3779b9) >>> 0

      return mix(state) / 2 ** 32
    }
  }
}

/** https://github.com/skeeto/hash-prospector, "lowbias32" */
function mix (value: number): number {
  let mixed = value >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)

  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** A part whose cases share nothing. */
export function independent (run: Cases['run']): () => Promise<Cases> {
  return async () => ({ run, close: async () => {} })
}
