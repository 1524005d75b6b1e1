import { median } from 'simple-statistics'
import { TimeLeft } from '../harness/time-left.ts'
import { compareTimes, countsAsSlower, isSlower, judgeRows, looksSlower, MEASURES } from './judge.ts'
import { measurePair } from './measure-pair.ts'
import { signedRank } from './signed-rank.ts'
import type { Compared, Differences, Measure } from './judge.ts'
import type { PairContext, PairOutcome, Side } from './measure-pair.ts'
import type { GatePlan, GateStage } from './plan.ts'
import type { Times } from './protocol.ts'
import type { Progress } from '../tools/progress.ts'

/**
 * What became of a row: `same` is not seen to be slower, `unclear` looks slower
 * without enough to say so, `new` does not run in the baseline, `differs` gives
 * something else than there
 */
export type GateStatus = 'same' | 'unclear' | 'slower' | 'differs' | 'new' | 'failed'

export interface GateRowResult {
  readonly row: string
  readonly status: GateStatus
  readonly pairs: number
  /**
   * Runs in all processes of the checkout, and the median time of one
   */
  readonly runs: number
  readonly ms: Readonly<Record<Measure, number>> | null
  readonly compared: readonly Compared[]
  /**
   * What the checkout gives: a CID where there is one
   */
  readonly answer: string | null
  readonly reason: string | null
}

export interface CompareContext extends Omit<PairContext, 'plan'> {
  readonly plan: GatePlan
  /**
   * Of how many rows these are
   */
  readonly all: number
  /**
   * Which rows the baseline is known to run, so that none of them is new
   */
  readonly known: readonly string[]
  readonly progress: Progress
}

/**
 * Everything known of a row so far
 */
class Followed {
  readonly row: string
  readonly differences: Readonly<Record<Measure, number[]>> = { cpu: [], wall: [] }
  readonly #runs: Readonly<Record<Measure, number[]>> = { cpu: [], wall: [] }
  #answer: string | null = null
  /**
   * Whether the baseline has failed already, alone and before it gave anything
   */
  #hasFailed = false
  readonly #isKnown: boolean
  ended: { readonly status: GateStatus, readonly reason: string } | undefined

  constructor (row: string, isKnown: boolean) {
    this.row = row
    this.#isKnown = isKnown
  }

  add (outcome: PairOutcome): void {
    if ('failure' in outcome) {
      this.#addFailure(outcome.side, `${outcome.side}: ${outcome.failure}`)
    } else if ('differ' in outcome) {
      this.#answer = outcome.answers.checkout
      this.ended = { status: 'differs', reason: `gives ${outcome.answers.checkout}, and ${outcome.answers.baseline} in the baseline` }
    } else {
      this.#answer = outcome.answers.checkout
      this.#addTimes(outcome.times)
    }
  }

  get pairs (): number {
    return this.differences.cpu.length
  }

  result (status: GateStatus, compared: readonly Compared[]): GateRowResult {
    return {
      row: this.row,
      status: this.ended?.status ?? status,
      pairs: this.pairs,
      runs: this.#runs.cpu.length,
      ms: this.pairs === 0 ? null : { cpu: median(this.#runs.cpu), wall: median(this.#runs.wall) },
      compared,
      answer: this.#answer,
      reason: this.ended?.reason ?? null
    }
  }

  /**
   * What the baseline cannot do twice, in new processes, while the checkout can, it
   * never could, unless it is known that it can; once may be bad luck.
   */
  #addFailure (side: Side, reason: string): void {
    if (side === 'checkout' || this.pairs > 0) {
      this.ended = { status: 'failed', reason }
    } else if (this.#hasFailed) {
      this.ended = { status: this.#isKnown ? 'failed' : 'new', reason }
    }

    this.#hasFailed = true
  }

  #addTimes (times: Readonly<Record<Side, Times>>): void {
    const compared = compareTimes(times)

    for (const measure of MEASURES) {
      this.differences[measure].push(compared[measure])
      this.#runs[measure].push(...times.checkout[measure])
    }
  }
}

/**
 * Compares two builds by rows, with as many pairs of processes as each row needs.
 * What is slower is compared once more, and has to be slower by new pairs alone.
 */
export async function compareBuilds (rows: readonly string[], context: CompareContext, measure: typeof measurePair = measurePair): Promise<GateRowResult[]> {
  const { plan } = context
  const results = await compareOnce(rows, context, measure)
  const slower = results.filter(({ status }) => status === 'slower').map(({ row }) => row)

  if (slower.length === 0) {
    return results
  }

  const again = await compareOnce(slower, {
    ...context,
    plan: { ...plan, stages: plan.stages.slice(-1) },
    all: slower.length,
    // it has run them just now
    known: slower,
    progress: text => { context.progress(`once more, ${text}`) }
  }, measure)

  return results.map(first => {
    const second = again.find(({ row }) => row === first.row)

    return second == null ? first : { ...second, status: second.status === 'same' ? 'unclear' : second.status, pairs: first.pairs + second.pairs, runs: first.runs + second.runs }
  })
}

async function compareOnce (rows: readonly string[], context: CompareContext, measure: typeof measurePair): Promise<GateRowResult[]> {
  const { plan, all, known } = context
  const followed = new Map(rows.map(row => [row, new Followed(row, known.includes(row))]))
  const weights = weightsOf(plan.stages, rows.length)
  const timeLeft = new TimeLeft(weights)
  let open = [...followed.values()]
  let pairs = 0

  for (const stage of plan.stages) {
    for (; pairs < stage.pairs && open.length > 0; pairs++) {
      timeLeft.begin(pairs)
      context.progress(sayPair(pairs, weights.length, timeLeft.sayTime(), open.map(({ row }) => row)))

      for (const [row, outcome] of await measure(open.map(({ row }) => row), context)) {
        followed.get(row)?.add(outcome)
      }

      timeLeft.done()
      open = open.filter(({ ended }) => ended == null)
    }

    open = open.filter(({ differences, pairs: measured }) => measured > 0 && looksSlower(differences, plan.found, stage.doubt))
  }

  const judged = judgeRows(new Map(open.map(({ row, differences }): [string, Differences] => [row, differences])), all)

  return [...followed.values()].map(row => {
    if (row.pairs === 0 && row.ended == null) {
      row.ended = { status: 'failed', reason: 'the baseline failed, and was not tried again' }
    }

    const compared = judged.get(row.row)

    return compared == null ? row.result('same', estimates(row)) : row.result(statusOf(compared, plan.found), compared)
  })
}

function sayPair (pair: number, most: number, timeLeft: string, rows: readonly string[]): string {
  const far = `pair ${pair + 1} of at most ${most}`

  return `${timeLeft === '' ? far : `${far}, ${timeLeft}`}: ${rows.length === 1 ? rows[0] : `${rows.length} rows`}`
}

/**
 * How long the pairs take, in relation to one another: each stage has as many rows left
 * of all as chance makes look slower before it, and starts two processes for a pair
 */
function weightsOf (stages: readonly GateStage[], rows: number): number[] {
  return stages.flatMap(({ pairs }, index) => {
    const before = stages.at(index - 1)
    const [measured, share] = index === 0 || before == null ? [0, 1] : [before.pairs, before.doubt]

    return Array<number>(pairs - measured).fill(1 + rows * share)
  })
}

function statusOf (compared: readonly Compared[], found: number): GateStatus {
  if (compared.some(one => isSlower(one, found))) {
    return 'slower'
  }

  return compared.some(one => countsAsSlower(one, found)) ? 'unclear' : 'same'
}

/**
 * For rows that were not followed to the end, nothing is claimed.
 */
function estimates ({ differences, pairs }: Followed): Compared[] {
  return pairs === 0 ? [] : MEASURES.map(measure => ({ measure, ratio: Math.exp(signedRank(differences[measure]).estimate), p: 1, atLeast: 0 }))
}
