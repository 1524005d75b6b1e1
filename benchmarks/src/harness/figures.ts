import { rawTimes } from './raw-times.ts'
import { statisticsOf } from './statistics.ts'
import type { Identity } from './protocol.ts'
import type { TimedSample } from './rounds.ts'

/**
 * What a row says of what was measured; what was not is null
 */
export interface Figures {
  /**
   * Whether the bytes were synced to the disk before it returned
   */
  readonly durable: boolean | null
  readonly samples: number
  readonly rawMs: readonly number[]
  /**
   * How many samples each round took; one where nothing is said
   */
  readonly rounds?: readonly number[]
  readonly opsPerSec: number | null
  readonly msPerOp: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly maxRssBytes: number | null
  readonly cid: string | null
}

/**
 * The figures of a row of which nothing was measured
 */
export const unmeasured = {
  durable: null,
  samples: 0,
  rawMs: [],
  opsPerSec: null,
  msPerOp: null,
  p50: null,
  p95: null,
  p99: null,
  maxRssBytes: null,
  cid: null
} as const satisfies Figures

interface Timed {
  readonly identity: Identity
  readonly samples: readonly TimedSample[]
  readonly peakBytes: number | null
}

/**
 * What ran, and the figures that samples give.
 */
export function figuresOf ({ identity, samples, peakBytes }: Timed): Omit<Figures, 'durable' | 'cid'> & { readonly version: string } {
  const times = rawTimes(samples)

  return { version: identity.version, ...times, ...statisticsOf(times.rawMs), maxRssBytes: peakBytes }
}
