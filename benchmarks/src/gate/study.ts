import os from 'node:os'
import { SeededRandom } from '../corpora/keystream.ts'
import { describeMachine } from '../harness/machine.ts'
import { commitOf } from '../harness/made.ts'
import { runParts } from '../harness/parts.ts'
import { repositoryRoot } from '../tools/repository.ts'
import { requireSameCode } from './builds.ts'
import { compareBuilds } from './compare-builds.ts'
import { hashGate } from './hash-gate.ts'
import { gatePlans } from './plan.ts'
import { gateRows } from './rows/index.ts'
import { withBuilds } from './with-builds.ts'
import type { GateRowResult } from './compare-builds.ts'
import type { GateSize } from './plan.ts'
import type { Prepared } from './with-builds.ts'
import type { Machine } from '../harness/machine.ts'
import type { RunContext } from '../harness/parts.ts'
import type { Progress } from '../tools/progress.ts'

/**
 * One question that the study asks of the gate, again and again, of the checkout
 * compared with itself
 */
export interface Question {
  readonly key: string
  readonly size: GateSize
  /**
   * By how much the rows are slowed down on purpose
   */
  readonly slowdown: number
  /**
   * How many rows, others every time; without, all of them
   */
  readonly rows?: number
  /**
   * How long a comparison takes, in relation to those of the other questions
   */
  readonly weight: number
}

export const questions: readonly Question[] = [
  { key: 'same', size: 'ci', slowdown: 0, weight: 1 },
  { key: 'ten', size: 'ci', slowdown: 0.1, rows: 3, weight: 1 },
  { key: 'five', size: 'full', slowdown: 0.05, rows: 3, weight: 3 }
]

/**
 * A comparison that was made, as the journal keeps it
 */
export interface Comparison {
  readonly question: string
  readonly seed: string
  readonly seconds: number
  /**
   * Of the machine meanwhile
   */
  readonly load: number
  /**
   * What it was made on: both sides of a comparison are on one machine, so that
   * those of several machines are one study
   */
  readonly machine: Machine
  /**
   * What was compared with itself; with a `+` where the sources had changes, so that both
   * sides are copies of one build
   */
  readonly commit: string | null
  readonly rows: ReadonlyArray<Pick<GateRowResult, 'row' | 'status' | 'pairs' | 'compared' | 'reason'>>
}

export interface StudyOptions {
  /**
   * Which questions
   */
  readonly questions: readonly string[]
  /**
   * Of each of them
   */
  readonly comparisons: number
  /**
   * How many of these are left to another process, the first ones
   */
  readonly from: number
}

/**
 * What is studied: what another gate decided says nothing of this one.
 */
export async function studiedGate (): Promise<object> {
  return {
    questions: questions.map(({ key, size, slowdown, rows }) => ({ key, size, slowdown, rows })),
    gatePlans,
    rows: gateRows.map(({ key }) => key),
    code: await hashGate()
  }
}

/**
 * Makes as many comparisons of each question, in turn, those that the journal has
 * included. After an interrupt it answers with what there is.
 */
export async function runStudy (options: StudyOptions, context: RunContext): Promise<readonly Comparison[]> {
  // of what is built now, whatever is committed meanwhile
  const commit = await commitOf()
  const baseline = committedOf(commit)

  return withBuilds(repositoryRoot, baseline, context.progress, context.signal, async prepared => {
    if (baseline != null) {
      await requireSameCode(prepared.builds.baseline, prepared.builds.checkout)
    }

    const where = { machine: await describeMachine(prepared.directory), commit }
    const parts = comparisonsOf(options).map(({ key, question, number }) => ({
      key,
      weight: question.weight,
      measure: async (progress: Progress) => ({ ...await ask(question, number, prepared, line => { progress(`${question.key} ${number + 1}, ${line}`) }, context.signal), ...where })
    }))

    return (await runParts(parts, context)).results
  })
}

/**
 * Returns the commit that the checkout is, without a change: it is built as the gate
 * builds its baseline, so that what this alone makes faster or slower alarms.
 */
export function committedOf (commit: string | null): string | undefined {
  return commit == null || commit.endsWith('+') ? undefined : commit
}

/**
 * Which comparisons are to be made, each under the name that it has in the journal
 */
export function comparisonsOf ({ questions: keys, comparisons, from }: StudyOptions): Array<{ key: string, question: Question, number: number }> {
  const asked = questions.filter(({ key }) => keys.includes(key))
  const numbers = Array.from({ length: comparisons }, (_, number) => number).slice(from)

  return numbers.flatMap(number => asked.map(question => ({ key: `${question.key}/${number}`, question, number })))
}

async function ask (question: Question, number: number, prepared: Prepared, progress: Progress, signal: AbortSignal): Promise<Omit<Comparison, 'machine' | 'commit'>> {
  const seed = `dagfs/gate/study/${question.key}/${number}`
  const keys = gateRows.map(({ key }) => key)
  const { rows: count = keys.length } = question
  const rows = Array.from({ length: count }, (_, index) => keys[(number * count + index) % keys.length])
  const start = performance.now()
  const results = await compareBuilds(rows, {
    ...prepared,
    plan: gatePlans[question.size],
    // both sides are one code
    known: keys,
    random: new SeededRandom(seed),
    slowdowns: Object.fromEntries(rows.map(row => [row, question.slowdown])),
    progress,
    signal
  })

  return {
    question: question.key,
    seed,
    seconds: Math.round((performance.now() - start) / 1000),
    load: os.loadavg()[0],
    rows: results.map(({ row, status, pairs, compared, reason }) => ({ row, status, pairs, compared, reason }))
  }
}
