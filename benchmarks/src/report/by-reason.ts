import type { Unavailable } from './chart.ts'

/**
 * Says each reason once, with all that it holds for.
 */
export function byReason (unavailable: readonly Unavailable[]): Unavailable[] {
  return [...Map.groupBy(unavailable, ({ reason }) => reason)].map(([reason, group]) => ({ what: group.map(({ what }) => what).join('; '), reason }))
}
