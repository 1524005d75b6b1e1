import { figure } from '../../harness/markdown.ts'
import { atLeast, atMost, ratio } from '../../harness/target.ts'
import type { EditsOptions } from './options.ts'
import type { EditRow } from './report.ts'
import type { Target } from '../../harness/target.ts'

// of the layout dagfs-1
const CHUNK_BYTES = 2 ** 20
const WIDTH = 1_024

const MFS_WRITE_FACTOR = 300
const WNFS_WRITE_FACTOR = 5
const GROWTH_FACTOR = 1.5
const MFS_READ_FACTOR = 20
const WNFS_READ_FACTOR = 1
const DIFF_BLOCKS = 100

/**
 * Holds the rows against the project's targets; one whose rows are not all there
 * is left out.
 */
export function judgeTargets (rows: readonly EditRow[], options: EditsOptions): Target[] {
  const time = (phase: string, contender = 'dagfs-mem'): { rawMs: number[] } | undefined => {
    const row = rows.find(candidate => candidate.phase === phase && candidate.contender === contender)

    // of one operation
    return row == null ? undefined : { rawMs: row.rawMs.map(ms => ms / row.operations) }
  }
  const counted = (phase: string): EditRow['counted'] => rows.find(row => row.phase === phase)?.counted ?? null
  const patch = counted('patch')

  return [
    atLeast('writes, times as fast as Helia MFS', MFS_WRITE_FACTOR, ratio(time('write', 'helia-mfs'), time('write')), 'x'),
    atLeast('writes, times as fast as wnfs', WNFS_WRITE_FACTOR, ratio(time('write', 'wnfs'), time('write')), 'x'),
    atMost(`time per write of ${figure(options.more)} files into a directory, to that of ${figure(options.fewer)}`, GROWTH_FACTOR, ratio(time('fill-more'), time('fill-fewer')), 'x'),
    atLeast('reads by path, times as fast as Helia MFS', MFS_READ_FACTOR, ratio(time('read', 'helia-mfs'), time('read')), 'x'),
    atLeast('reads by path, times as fast as wnfs', WNFS_READ_FACTOR, ratio(time('read', 'wnfs'), time('read')), 'x'),
    atMost('leaf blocks put for a few bytes in a large file', 1, patch?.leavesPut, ''),
    atMost('node blocks put above that leaf, the directory included', spineOf(options.fileBytes), patch == null ? undefined : patch.blocksPut - patch.leavesPut, ''),
    atMost('blocks read by the diff of two trees in one directory', DIFF_BLOCKS, counted('diff-flat')?.blocksRead, ''),
    atMost('blocks read by the diff of two nested trees', DIFF_BLOCKS, counted('diff-nested')?.blocksRead, '')
  ].filter(target => target != null)
}

/**
 * The nodes above one leaf of a file, and the directory above them
 */
function spineOf (fileBytes: number): number {
  let nodes = 1

  for (let children = Math.ceil(fileBytes / CHUNK_BYTES); children > 1; children = Math.ceil(children / WIDTH)) {
    nodes++
  }

  return nodes
}
