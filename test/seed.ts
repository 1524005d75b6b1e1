import fc from 'fast-check'

/**
 * The seed of this run. `SEED=` replays another one; in browsers, where there is no environment, it is one of the
 * bundle's definitions.
 */
export const seed = Number.parseInt(globalThis.process?.env?.SEED ?? '', 10) || Date.now() % 2 ** 31

// eslint-disable-next-line no-console
console.info(`SEED=${seed}`)

fc.configureGlobal({ seed, verbose: fc.VerbosityLevel.None })

/**
 * Random numbers from 0 to 1 that are the same for the same seed (mulberry32).
 */
export function random (from = seed): () => number {
  let state = from >>> 0

  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)

    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from 0 up to, not including, `end`. */
export function below (next: () => number, end: number): number {
  return Math.floor(next() * end)
}
