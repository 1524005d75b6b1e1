import { atLeast, atMost, ratio } from '../../harness/target.ts'
import { withoutDuplicatesName } from './make-corpora.ts'
import type { Row } from './row.ts'
import type { Target } from '../../harness/target.ts'

/**
 * The targets are of a real node_modules; smaller corpora have other costs
 */
const JUDGED_FILES = 20_000

const FLOOR_FACTOR = 1.25
const KUBO_FACTOR = 4
const HELIA_MEM_FACTOR = 5
// blockstore-fs stalls on files of equal content
const HELIA_FS_FACTOR = 30
const HELIA_FS_UNIQUE_FACTOR = 5
const MOST_MEGABYTES = 300

/**
 * Holds the cold imports of large corpora against the project's targets, times by
 * medians.
 */
export function judgeTargets (rows: readonly Row[]): Target[] {
  const judged = rows.filter(({ files, phase, status }) => files >= JUDGED_FILES && phase === 'cold' && status === 'ok')

  return [...new Set(judged.map(({ corpus }) => corpus))].flatMap(corpus => judgeCorpus(corpus, judged.filter(row => row.corpus === corpus)))
}

function judgeCorpus (corpus: string, rows: readonly Row[]): Target[] {
  const of = (key: string): Row | undefined => rows.find(({ contender }) => contender === key)
  const times = (slow: string, fast: string): number | undefined => ratio(of(slow)?.p50 ?? undefined, of(fast)?.p50 ?? undefined)
  const peakBytes = of('dagfs-pack')?.maxRssBytes
  const isUnique = corpus.endsWith(withoutDuplicatesName)

  return [
    atMost(`${corpus}: dagfs-pack, to the floor`, FLOOR_FACTOR, times('dagfs-pack', 'floor'), 'x the time'),
    atLeast(`${corpus}: dagfs-pack, faster than kubo-direct`, KUBO_FACTOR, times('kubo-direct', 'dagfs-pack'), 'x'),
    atLeast(`${corpus}: dagfs-pack, faster than helia-fs`, isUnique ? HELIA_FS_UNIQUE_FACTOR : HELIA_FS_FACTOR, times('helia-fs', 'dagfs-pack'), 'x'),
    atLeast(`${corpus}: dagfs-mem, faster than helia-mem`, HELIA_MEM_FACTOR, times('helia-mem', 'dagfs-mem'), 'x'),
    atMost(`${corpus}: dagfs-pack, resident memory`, MOST_MEGABYTES, peakBytes == null ? undefined : peakBytes / 1e6, 'MB')
  ].filter(target => target != null)
}
