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
} as const
