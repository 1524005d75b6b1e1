import { atLeast, ratio } from '../../harness/target.ts'
import type { LargeFileRow } from './report.ts'
import type { Target } from '../../harness/target.ts'

const LEAST_SHARE = 0.8

/**
 * Holds the rows against the project's targets, by medians: shares of a
 * throughput, so that the time of what it is beside is divided by ours.
 */
export function judgeTargets (rows: readonly LargeFileRow[]): Target[] {
  const of = (phase: string): LargeFileRow | undefined => rows.find(row => row.phase === phase)

  return [
    atLeast('throughput of writing, to that of the floor', LEAST_SHARE, ratio(of('floor'), of('write')), 'x'),
    atLeast('throughput of a verified read, to that of hashing alone', LEAST_SHARE, ratio(of('hash'), of('read')), 'x')
  ].filter(target => target != null)
}
