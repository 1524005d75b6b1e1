import { readFile } from 'node:fs/promises'
import { runAddDir } from '../cases/add-dir/index.ts'
import { judgeReport } from '../cases/add-dir/verdict.ts'
import { noJournal } from '../harness/journal.ts'
import { packageRoot } from '../tools/package-root.ts'
import { holm } from './multiple.ts'
import { signedRank } from './signed-rank.ts'
import type { GateSize } from './plan.ts'
import type { Report } from '../cases/add-dir/index.ts'
import type { Progress } from '../tools/progress.ts'

type Row = Report['rows'][number]

/**
 * How many times as fast as somebody else dagfs is, now and where it was published
 */
export interface PeerRatio {
  readonly ours: string
  readonly peer: string
  readonly corpus: string
  readonly phase: string
  /**
   * Null where none is, which breaks the ratio: it would be held against nothing
   */
  readonly published: number | null
  /**
   * Null where one of the two was not measured
   */
  readonly measured: number | null
  readonly kept: boolean
  readonly reason: string | null
}

export interface Peers {
  readonly ratios: readonly PeerRatio[]
  /**
   * What did not hold of the run itself: CIDs that differ, and who is missing
   */
  readonly faults: readonly string[]
}

/**
 * Machines differ by what they do fast, so the published ratio has to be missed
 * by more than this factor, and for sure
 */
export const TOLERANCE = 2

/**
 * The chance that the ratios fail a run though none is missed, at most: less could not be
 * told from so few rounds
 */
const FALSE_ALARMS = 0.01
const CORPUS = 'generated'
const PHASES = ['cold', 'warm']
const MOST_ROUNDS = 50
const TIMEOUT_MS = 30 * 60_000

// ours, and those that keep their blocks in the same kind of place
const PAIRS: Readonly<Record<GateSize, ReadonlyArray<readonly [ours: string, peers: readonly string[]]>>> = {
  ci: [['dagfs-mem', ['helia-mem']], ['dagfs-pack', ['floor']]],
  full: [['dagfs-mem', ['helia-mem']], ['dagfs-fs', ['helia-fs', 'ipfs', 'kubo', 'kubo-direct']], ['dagfs-pack', ['floor', 'kubo-direct']]]
}
// rounds take turns, so that each gives a ratio of its own; with fewer, no luck could
// be told from all ratios being missed
const SAMPLES = { iterations: 12, minTimeMs: 0 }

/**
 * Measures dagfs beside others anew, and holds the ratios against the published
 * ones. A contender of those that is missing breaks its ratio, unless it is optional.
 */
export async function comparePeers (size: GateSize, optional: readonly string[], progress: Progress, signal: AbortSignal): Promise<Peers> {
  const published = await readPublished()
  const report = await runAddDir({
    ...SAMPLES,
    testPaths: [],
    contenders: [...new Set(PAIRS[size].flatMap(([ours, peers]) => [ours, ...peers]))],
    optional,
    corpora: [CORPUS],
    unique: false,
    noLinks: false,
    timeoutMs: TIMEOUT_MS
  }, { progress, signal, journal: noJournal })

  // what was measured of an interrupted run says nothing for sure
  signal.throwIfAborted()

  return { ratios: ratiosOf(size, published, report, optional), faults: judgeReport(report).faults }
}

async function readPublished (): Promise<Report> {
  return JSON.parse(await readFile(new URL('results/add-dir.json', packageRoot), 'utf8'))
}

/**
 * A ratio is broken where it is missed for sure, whatever else the machine did meanwhile.
 */
export function ratiosOf (size: GateSize, published: Pick<Report, 'rows'>, now: Pick<Report, 'rows'>, optional: readonly string[]): PeerRatio[] {
  const subjects = PAIRS[size].flatMap(([ours, peers]) => peers.flatMap(peer => PHASES.map(phase => {
    const before = ratioOf(find(published, ours, phase), find(published, peer, phase))
    const [our, their] = [find(now, ours, phase), find(now, peer, phase)]
    const measured = ratioOf(our, their)

    return { ours, peer, phase, before, our, their, measured, p: before == null || measured == null ? 1 : missed(our, their, before / TOLERANCE) }
  })))
  const adjusted = holm(subjects.map(({ p }) => p))

  return subjects.map(({ ours, peer, phase, before, our, their, measured }, index) => ({
    ours,
    peer,
    corpus: CORPUS,
    phase,
    published: before ?? null,
    measured: measured ?? null,
    kept: before != null && (measured == null ? optional.includes(peer) : adjusted[index] > FALSE_ALARMS),
    reason: reasonOf(before, measured, [our, their])
  }))
}

function reasonOf (before: number | undefined, measured: number | undefined, rows: ReadonlyArray<Row | undefined>): string | null {
  if (before == null) {
    return 'nothing is published to hold it against; measure add-dir with both'
  }

  return measured == null ? rows.flatMap(row => row?.status === 'ok' ? [] : row?.reason ?? 'not measured').join('; ') : null
}

function find ({ rows }: Pick<Report, 'rows'>, contender: string, phase: string): Row | undefined {
  return rows.find(row => row.corpus === CORPUS && row.contender === contender && row.phase === phase)
}

function ratioOf (our: Row | undefined, their: Row | undefined): number | undefined {
  return our?.p50 == null || their?.p50 == null ? undefined : their.p50 / our.p50
}

/**
 * How likely the rounds are, or worse ones, where the ratio is at least this
 */
function missed (our: Row | undefined, their: Row | undefined, ratio: number): number {
  const [ours, theirs] = [our?.rawMs ?? [], their?.rawMs ?? []]
  const rounds = Math.min(ours.length, theirs.length, MOST_ROUNDS)

  return signedRank(Array.from({ length: rounds }, (_, round) => Math.log(ours[round] * ratio / theirs[round]))).p
}
