import { readFile } from 'node:fs/promises'
import { runAddDir } from '../cases/add-dir/index.ts'
import { noJournal } from '../harness/journal.ts'
import { packageRoot } from '../tools/package-root.ts'
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
  readonly published: number
  /**
   * Null where one of the two was not measured
   */
  readonly measured: number | null
  readonly kept: boolean
  readonly reason: string | null
}

/**
 * Machines differ by what they do fast, so the published ratio has to be missed
 * by more than this factor
 */
export const TOLERANCE = 2

const CORPUS = 'generated'
const TIMEOUT_MS = 30 * 60_000

// ours, and those that keep their blocks in the same kind of place
const PAIRS: Readonly<Record<GateSize, ReadonlyArray<readonly [ours: string, peers: readonly string[]]>>> = {
  ci: [['dagfs-mem', ['helia-mem']]],
  full: [['dagfs-mem', ['helia-mem']], ['dagfs-fs', ['helia-fs', 'ipfs', 'kubo', 'kubo-direct']]]
}
const SAMPLES: Readonly<Record<GateSize, { iterations: number, minTimeMs: number }>> = {
  ci: { iterations: 5, minTimeMs: 300 },
  full: { iterations: 5, minTimeMs: 1_000 }
}

/**
 * Measures dagfs beside others anew, and holds the ratios against the published
 * ones. A contender of those that is missing breaks its ratio, unless it is optional.
 */
export async function comparePeers (size: GateSize, optional: readonly string[], progress: Progress, signal: AbortSignal): Promise<PeerRatio[]> {
  const published = await readPublished()
  const report = await runAddDir({
    ...SAMPLES[size],
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

  return ratiosOf(size, published, report, optional)
}

async function readPublished (): Promise<Report> {
  return JSON.parse(await readFile(new URL('results/add-dir.json', packageRoot), 'utf8'))
}

export function ratiosOf (size: GateSize, published: Pick<Report, 'rows'>, now: Pick<Report, 'rows'>, optional: readonly string[]): PeerRatio[] {
  return PAIRS[size].flatMap(([ours, peers]) => peers.flatMap(peer => ['cold', 'warm'].flatMap(phase => {
    const before = ratioOf(published.rows, ours, peer, phase)

    if (before.ratio == null) {
      return []
    }

    const { ratio, reason } = ratioOf(now.rows, ours, peer, phase)
    const kept = ratio == null ? optional.includes(peer) : ratio >= before.ratio / TOLERANCE

    return [{ ours, peer, corpus: CORPUS, phase, published: before.ratio, measured: ratio ?? null, kept, reason: reason ?? null }]
  })))
}

function ratioOf (rows: readonly Row[], ours: string, peer: string, phase: string): { ratio?: number, reason?: string } {
  const find = (contender: string): Row | undefined => rows.find(row => row.corpus === CORPUS && row.contender === contender && row.phase === phase)
  const [our, their] = [find(ours), find(peer)]

  if (our?.p50 == null || their?.p50 == null) {
    return { reason: [our, their].flatMap(row => row?.status === 'ok' ? [] : row?.reason ?? 'not measured').join('; ') }
  }

  return { ratio: their.p50 / our.p50 }
}
