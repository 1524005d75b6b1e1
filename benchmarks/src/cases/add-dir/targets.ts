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
 * medians over the rounds that both were in. What is left of a large corpus without its files of equal content is
 * held against the one target that is of it, however few files that are.
 *
 * @param rows - all of a run: a corpus without duplicates is as large as the one that it was made of
 * @param only - the corpora that are judged; all of them where nothing is said
 */
export function judgeTargets (rows: readonly Row[], only?: readonly string[]): Target[] {
  const corpora = new Map(rows.map(({ corpus, files }) => [corpus, files]))

  return [...corpora.keys()]
    .filter(corpus => only == null || only.includes(corpus))
    .filter(corpus => (corpora.get(originalOf(corpus)) ?? 0) >= JUDGED_FILES)
    .flatMap(corpus => judgeCorpus(corpus, rows.filter(row => row.corpus === corpus && row.phase === 'cold' && row.status === 'ok')))
}

/**
 * The corpus that one without duplicates was made of; of any other itself
 */
function originalOf (corpus: string): string {
  return isUnique(corpus) ? corpus.slice(0, -withoutDuplicatesName.length).trimEnd() : corpus
}

function isUnique (corpus: string): boolean {
  return corpus.endsWith(withoutDuplicatesName)
}

function judgeCorpus (corpus: string, rows: readonly Row[]): Target[] {
  const of = (key: string): Row | undefined => rows.find(({ contender }) => contender === key)
  const times = (slow: string, fast: string): number | undefined => ratio(of(slow), of(fast))
  const megabytes = (bytes: number | null | undefined): number | undefined => bytes == null ? undefined : bytes / 1e6
  const pack = of('dagfs-pack')
  const fasterThanHeliaFs = (limit: number): Target | undefined => atLeast(`${corpus}: dagfs-pack, times as fast as helia-fs`, limit, times('helia-fs', 'dagfs-pack'), 'x')

  if (isUnique(corpus)) {
    return [fasterThanHeliaFs(HELIA_FS_UNIQUE_FACTOR)].filter(target => target != null)
  }

  return [
    atMost(`${corpus}: time of dagfs-pack, to that of the floor`, FLOOR_FACTOR, times('dagfs-pack', 'floor'), 'x'),
    atLeast(`${corpus}: dagfs-pack, times as fast as kubo-direct`, KUBO_FACTOR, times('kubo-direct', 'dagfs-pack'), 'x'),
    fasterThanHeliaFs(HELIA_FS_FACTOR),
    atLeast(`${corpus}: dagfs-mem, times as fast as helia-mem`, HELIA_MEM_FACTOR, times('helia-mem', 'dagfs-mem'), 'x'),
    atMost(`${corpus}: dagfs-pack, resident memory of one import`, MOST_MEGABYTES, megabytes(pack?.firstRssBytes), 'MB'),
    atMost(`${corpus}: dagfs-pack, resident memory after ${pack?.samples ?? 0} imports`, MOST_MEGABYTES, megabytes(pack?.maxRssBytes), 'MB')
  ].filter(target => target != null)
}
