import { median } from 'simple-statistics'
import { TimeLeft } from '../harness/time-left.ts'
import { compareTimes, countsAsSlower, isSlower, judgeRows, looksSlower, MEASURES, suspicionOf } from './judge.ts'
import { measurePair } from './measure-pair.ts'
import { signedRank } from './signed-rank.ts'
import type { Compared, Measure } from './judge.ts'
import type { PairContext, PairOutcome, Side } from './measure-pair.ts'
import type { GatePlan } from './plan.ts'
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

  get runs (): number {
    return this.#runs.cpu.length
  }

  /**
   * Says what became of the row. `before` is what was known of it when it was chosen.
   */
  result (status: GateStatus, compared: readonly Compared[], before?: Followed): GateRowResult {
    return {
      row: this.row,
      status: this.ended?.status ?? status,
      pairs: (before?.pairs ?? 0) + this.pairs,
      runs: (before?.runs ?? 0) + this.runs,
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
 * Makes pairs of processes, and says how far it is
 */
class PairMaker {
  readonly #context: CompareContext
  readonly #measure: typeof measurePair
  readonly #timeLeft: TimeLeft
  readonly #most: number
  #made = 0

  constructor (rows: number, context: CompareContext, measure: typeof measurePair) {
    const weights = weightsOf(context.plan, rows)

    this.#context = context
    this.#measure = measure
    this.#timeLeft = new TimeLeft(weights)
    this.#most = weights.length
  }

  get made (): number {
    return this.#made
  }

  /**
   * Measures rows in some more pairs. Returns those that go on.
   */
  async make (pairs: number, rows: readonly Followed[]): Promise<readonly Followed[]> {
    let open = rows

    for (let left = pairs; left > 0 && open.length > 0; left--) {
      const keys = open.map(({ row }) => row)

      this.#timeLeft.begin(this.#made)
      this.#context.progress(sayPair(this.#made, this.#most, this.#timeLeft.sayTime(), keys))

      for (const [row, outcome] of await this.#measure(keys, this.#context)) {
        open.find(one => one.row === row)?.add(outcome)
      }

      this.#timeLeft.done()
      this.#made++
      open = open.filter(({ ended }) => ended == null)
    }

    return open
  }
}

/**
 * Compares two builds by rows. Every row is looked at, with more pairs of processes
 * the more it looks slower; what does to the end is judged by new pairs alone.
 */
export async function compareBuilds (rows: readonly string[], context: CompareContext, measure: typeof measurePair = measurePair): Promise<GateRowResult[]> {
  const { plan, known } = context
  const maker = new PairMaker(rows.length, context, measure)
  const lookedAt = rows.map(row => new Followed(row, known.includes(row)))
  let open: readonly Followed[] = lookedAt

  for (const look of plan.looks) {
    // what could not be measured yet is tried again
    open = (await maker.make(look.pairs - maker.made, open)).filter(({ differences, pairs }) => pairs === 0 || looksSlower(differences, plan.found, look))
  }

  const suspects = open.filter(({ pairs }) => pairs > 0).sort((a, b) => suspicionOf(b.differences) - suspicionOf(a.differences))
  // the baseline has run them just now
  const again = suspects.slice(0, plan.mostJudged).map(({ row }) => new Followed(row, true))
  const judged = judgeRows(new Map((await maker.make(plan.judged, again)).map(({ row, differences }) => [row, differences])))

  return lookedAt.map(first => {
    const second = again.find(({ row }) => row === first.row)
    const compared = judged.get(first.row)

    if (second != null) {
      return second.result(compared == null ? 'failed' : statusOf(compared, plan.found), compared ?? [], first)
    }

    if (first.pairs === 0 && first.ended == null) {
      first.ended = { status: 'failed', reason: 'the baseline failed, and was not tried again' }
    } else if (suspects.includes(first)) {
      first.ended = { status: 'unclear', reason: `it was not judged, ${plan.mostJudged} others look slower still` }
    }

    return first.result('same', estimates(first))
  })
}

function sayPair (pair: number, most: number, timeLeft: string, rows: readonly string[]): string {
  const far = `pair ${pair + 1} of at most ${most}`

  return `${timeLeft === '' ? far : `${far}, ${timeLeft}`}: ${rows.length === 1 ? rows[0] : `${rows.length} rows`}`
}

/**
 * How long the pairs take, in relation to one another: each has as many rows left
 * of all as chance makes look slower before it, and starts two processes
 */
function weightsOf ({ looks, judged }: GatePlan, rows: number): number[] {
  const counts = [...looks.map(({ pairs }, index) => index === 0 ? pairs : pairs - looks[index - 1].pairs), judged]
  const shares = [1, ...looks.map(({ doubt }) => doubt)]

  return counts.flatMap((count, index) => Array<number>(count).fill(1 + rows * shares[index]))
}

function statusOf (compared: readonly Compared[], found: number): GateStatus {
  if (compared.some(one => isSlower(one, found))) {
    return 'slower'
  }

  return compared.some(one => countsAsSlower(one, found)) ? 'unclear' : 'same'
}

/**
 * For rows that are not judged, nothing is claimed.
 */
function estimates ({ differences, pairs }: Followed): Compared[] {
  return pairs === 0 ? [] : MEASURES.map(measure => ({ measure, ratio: Math.exp(signedRank(differences[measure]).estimate), p: 1, atLeast: 0 }))
}
