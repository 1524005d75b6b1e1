import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { SeededRandom } from '../../src/corpora/keystream.ts'
import { compareBuilds } from '../../src/gate/compare-builds.ts'
import { benchmarkEntries } from '../../src/gate/github-benchmark.ts'
import { ratiosOf } from '../../src/gate/peers.ts'
import { gatePlans } from '../../src/gate/plan.ts'
import { measuredRow } from '../rows.ts'
import type { Row } from '../../src/cases/add-dir/row.ts'
import type { GateRowResult } from '../../src/gate/compare-builds.ts'
import type { PairOutcome } from '../../src/gate/measure-pair.ts'
import type { PeerRatio } from '../../src/gate/peers.ts'
import type { GateSize } from '../../src/gate/plan.ts'
import type { Progress } from '../../src/tools/progress.ts'

interface Rows {
  readonly rows: readonly Row[]
}

const ROWS = Array.from({ length: 17 }, (_, index) => `row ${index}`)
const LOOKED = gatePlans.ci.looks[gatePlans.ci.looks.length - 1].pairs
const random = new SeededRandom('dagfs/gate/decisions')

describe('decisions of the gate, on simulated times', () => {
  it('raise no false alarm on a steady or unsteady machine', async () => {
    for (const noise of [0.03, 0.15]) {
      const runs = await Promise.all(Array.from({ length: 60 }, async () => drawnRun('ci', noise, {})))

      assert.equal(runs.filter(rows => rows.some(({ status }) => status === 'slower')).length, 0, `noise ${noise}`)
    }
  })

  it('detect 10 % at the size of CI, and 5 % at full size', async () => {
    for (const [size, slowdown] of [['ci', 0.1], ['full', 0.05]] as const) {
      const runs = await Promise.all(Array.from({ length: 20 }, async () => drawnRun(size, 0.03, { 'row 3': slowdown })))

      assert.ok(runs.filter(rows => rows[3].status === 'slower').length >= 19, size)
    }
  })

  it('are made only on new pairs', async () => {
    let asked = 0
    const rows = await compareDrawn('ci', async rows => {
      const slowdown = asked++ < LOOKED ? 0.3 : 0

      return new Map(rows.map(row => [row, drawnPair(0.03, row === 'row 3' ? slowdown : 0)]))
    })

    assert.equal(asked, LOOKED + gatePlans.ci.judged)
    assert.deepEqual(rows.map(({ status }) => status), ROWS.map(() => 'same'))
    assert.ok(Math.abs(rows[3].compared[0].ratio - 1) < 0.05)
  })

  it('cover as many rows as time allows, slowest first, and report the others', async () => {
    const { mostJudged } = gatePlans.ci
    const rows = await compareDrawn('ci', async rows => new Map(rows.map(row => [row, drawnPair(0.01, ROWS.indexOf(row) < mostJudged ? 0.5 : 0.25)])))

    assert.deepEqual(rows.map(({ status }) => status), ROWS.map((_, index) => index < mostJudged ? 'slower' : 'unclear'))
    assert.equal(rows[mostJudged].reason, 'it was not judged, 8 others look slower still')
  })

  it('fail a slower row that the baseline no longer runs', async () => {
    let asked = 0
    const rows = await compareDrawn('ci', async rows => {
      const isAgain = asked++ >= LOOKED

      return new Map(rows.map(row => [row, isAgain ? { side: 'baseline', failure: 'no space left' } : drawnPair(0.03, row === 'row 3' ? 0.3 : 0)]))
    })

    assert.deepEqual(rows.map(({ status }) => status), ROWS.map(row => row === 'row 3' ? 'failed' : 'same'))
    assert.equal(rows[3].reason, 'baseline: no space left')
  })

  it('report the remaining time from the second pair on', async () => {
    const lines: string[] = []

    await compareDrawn('ci', async rows => {
      await setTimeout(20)

      return new Map(rows.map(row => [row, drawnPair(0.03, row === 'row 3' ? 1 : 0)]))
    }, line => { lines.push(line) })

    assert.equal(lines[0], 'pair 1 of at most 26: 17 rows')
    assert.match(lines[1], /^pair 2 of at most 26, about \d s left: \d+ rows$/)
    assert.match(lines[25], /^pair 26 of at most 26, about 1 s left: row 3$/)
  })

  it('are unclear if the machine is too unsteady', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, async () => drawnRun('ci', 0.3, { 'row 3': 0.2 })))

    assert.ok(runs.some(rows => rows[3].status === 'unclear'))
  })
})

describe('ratios to other systems', () => {
  const rounds = (ms: number): number[] => Array.from({ length: 12 }, (_, index) => ms + index / 100)
  const rows = (ours: number, theirs: number): { rows: Array<ReturnType<typeof measuredRow>> } => ({
    rows: [measuredRow({ contender: 'dagfs-mem', cid: 'bafyA', corpus: 'generated', rawMs: rounds(ours) }), measuredRow({ contender: 'helia-mem', cid: 'bafyB', corpus: 'generated', rawMs: rounds(theirs) })]
  })

  it('are kept within a wide tolerance', () => {
    assert.deepEqual(ratiosToHelia(rows(10, 40), rows(10, 25), []).map(({ published, measured, kept }) => [published?.toFixed(1), measured?.toFixed(1), kept]), [['4.0', '2.5', true]])
    assert.deepEqual(ratiosToHelia(rows(10, 40), rows(10, 19), []).map(({ measured, kept }) => [measured?.toFixed(1), kept]), [['1.9', false]])
  })

  it('are robust to disturbed rounds', () => {
    const disturbed = rows(10, 25).rows[0].rawMs.map((ms, index) => index < 4 ? ms * 20 : ms)

    assert.deepEqual(ratiosToHelia(rows(10, 40), { rows: [{ ...rows(10, 25).rows[0], rawMs: disturbed }, rows(10, 25).rows[1]] }, []).map(({ kept }) => kept), [true])
  })

  it('fail for a missing contender, unless it is optional', () => {
    const missing = { rows: [rows(10, 25).rows[0], { ...rows(10, 25).rows[1], status: 'unavailable' as const, p50: null, reason: 'it is not there' }] }

    assert.deepEqual(ratiosToHelia(rows(10, 40), missing, []).map(({ kept, reason }) => [kept, reason]), [[false, 'it is not there']])
    assert.deepEqual(ratiosToHelia(rows(10, 40), missing, ['helia-mem']).map(({ kept }) => kept), [true])
  })

  it('fail without published figures', () => {
    const ours = ratiosOf('ci', { rows: rows(10, 40).rows.slice(0, 1) }, rows(10, 25), ['helia-mem']).filter(isToHelia)

    assert.deepEqual(ours.map(({ published, kept, reason }) => [published, kept, reason]), [[null, false, 'nothing is published to hold it against; measure add-dir with both']])
  })

  it('are exported to github-action-benchmark as bigger-is-better', async () => {
    const { smaller, bigger } = benchmarkEntries({
      baseline: { commit: '0'.repeat(40), reason: 'it is a test', rows: ROWS },
      rows: await drawnRun('ci', 0.01, {}),
      peers: ratiosToHelia(rows(10, 40), rows(10, 25), [])
    })

    assert.equal(smaller.length, 2 * ROWS.length)
    assert.equal(smaller[0].name, 'row 0 (processor)')
    assert.equal(bigger[0].value.toFixed(1), '2.5')

    for (const { name, unit, value } of [...smaller, ...bigger]) {
      assert.deepEqual([typeof name, typeof unit, Number.isFinite(value)], ['string', 'string', true])
    }
  })
})

function ratiosToHelia (published: Rows, now: Rows, optional: readonly string[]): PeerRatio[] {
  return ratiosOf('ci', published, now, optional).filter(isToHelia)
}

function isToHelia ({ peer, phase }: PeerRatio): boolean {
  return peer === 'helia-mem' && phase === 'cold'
}

async function drawnRun (size: GateSize, noise: number, slowdowns: Readonly<Record<string, number>>): Promise<GateRowResult[]> {
  return compareDrawn(size, async rows => new Map(rows.map(row => [row, drawnPair(noise, slowdowns[row] ?? 0)])))
}

async function compareDrawn (size: GateSize, measure: (rows: readonly string[]) => Promise<Map<string, PairOutcome>>, progress: Progress = () => {}): Promise<GateRowResult[]> {
  return compareBuilds(ROWS, {
    driver: '',
    builds: { baseline: '', checkout: '' },
    corpora: {},
    directory: '',
    plan: gatePlans[size],
    known: [],
    random,
    slowdowns: {},
    progress,
    signal: new AbortController().signal
  }, measure)
}

function drawnPair (noise: number, slowdown: number): PairOutcome {
  const time = (): number => Math.exp(noise * normal() / Math.SQRT2)
  const times = (factor: number): { wall: number[], cpu: number[] } => ({ wall: [factor * time()], cpu: [factor * time()] })

  return { answers: { baseline: 'bafy', checkout: 'bafy' }, times: { baseline: times(1), checkout: times(1 + slowdown) } }
}

/**
 * Irwin and Hall's approximation
 */
function normal (): number {
  return Array.from({ length: 12 }, () => random.below(2 ** 30) / 2 ** 30).reduce((sum, value) => sum + value, -6)
}
