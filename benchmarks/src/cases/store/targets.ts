import { atLeast, atMost, ratio } from '../../harness/target.ts'
import type { StoreOptions } from './options.ts'
import type { ContenderKey, PhaseKey } from './protocol.ts'
import type { StoreRow } from './report.ts'
import type { Target } from '../../harness/target.ts'

/**
 * Holds the rows against the project's targets; one whose rows are not all there
 * is left out. Times are compared by their medians.
 */
export function judgeTargets (rows: readonly StoreRow[], { blocks, fewer, fsBlocks }: StoreOptions): Target[] {
  const row = (phase: PhaseKey, count: number, contender: ContenderKey = 'dagfs-pack'): StoreRow | undefined =>
    rows.find(candidate => candidate.phase === phase && candidate.contender === contender && candidate.blocks === count)
  const megabytes = (found: StoreRow | undefined): number | undefined => found?.maxRssBytes == null ? undefined : found.maxRssBytes / 1e6
  const [got, gotFewer] = [row('get', blocks), row('get', fewer)]
  const [held, heldFewer] = [megabytes(got), megabytes(gotFewer)]

  return [
    atLeast('gets of the large store, times as fast as blockstore-fs', 10, ratio(row('get', fsBlocks, 'blockstore-fs'), got), 'x'),
    atMost('time of a get of the large store, to that of the small one', 2, ratio(got, gotFewer), 'x'),
    atLeast('opening the large store, times as fast as scanning it', 50, ratio(row('scan', blocks), row('open', blocks)), 'x'),
    // what a process holds besides is Node.js, and the blocks that it compares
    atMost('memory of a process that gets blocks of the large store, beyond one with the small store', 150, held == null || heldFewer == null ? undefined : held - heldFewer, 'MB'),
    atMost('memory of a process that fills it', 300, megabytes(row('fill', blocks)), 'MB')
  ].filter(target => target != null)
}
