import { median } from 'simple-statistics'
import { sayMachine } from '../harness/machine.ts'
import { figure } from '../harness/markdown.ts'
import { proportion } from './proportions.ts'
import { questions } from './study.ts'
import type { Proportion } from './proportions.ts'
import type { Comparison, Question } from './study.ts'

/**
 * What the comparisons that were made say of the gate
 */
export interface Answer {
  readonly question: string
  readonly size: string
  readonly slowdown: number
  readonly comparisons: number
  /**
   * Of runs with an alarm, where nothing was slowed down; of rows that were
   * found, where they were
   */
  readonly alarms: Proportion
  /**
   * Rows that looked slower without enough to say so
   */
  readonly unclear: number
  readonly medianSeconds: number
  readonly medianLoad: number
  /**
   * What it was asked on, in words, and of which commits
   */
  readonly machines: readonly string[]
  readonly commits: readonly string[]
}

/**
 * Answers the questions that were asked.
 */
export function answersOf (made: readonly Comparison[]): Answer[] {
  return questions.filter(({ key }) => made.some(({ question }) => question === key)).map(question => answer(question, made))
}

export function sayAnswers (made: readonly Comparison[]): string[] {
  return answersOf(made).map(say)
}

function answer ({ key, size, slowdown }: Question, made: readonly Comparison[]): Answer {
  const own = made.filter(({ question }) => question === key)
  const rows = own.flatMap(comparison => comparison.rows)
  const isAlarm = ({ status }: Comparison['rows'][number]): boolean => status !== 'same' && status !== 'unclear'

  return {
    question: key,
    size,
    slowdown,
    comparisons: own.length,
    alarms: slowdown === 0
      ? proportion(own.filter(comparison => comparison.rows.some(isAlarm)).length, own.length)
      : proportion(rows.filter(isAlarm).length, rows.length),
    unclear: rows.filter(({ status }) => status === 'unclear').length,
    medianSeconds: median(own.map(({ seconds }) => seconds)),
    medianLoad: median(own.map(({ load }) => load)),
    machines: [...new Set(own.map(({ machine }) => sayMachine(machine)))],
    commits: [...new Set(own.flatMap(({ commit }) => commit ?? []))]
  }
}

function say ({ size, slowdown, comparisons, alarms, unclear, medianSeconds, medianLoad, machines, commits }: Answer): string {
  const share = `${figure(100 * alarms.count / alarms.of, 1)} % (${alarms.count} of ${alarms.of}, 95 % interval ${figure(100 * alarms.from, 2)} to ${figure(100 * alarms.to, 2)} %)`
  const what = slowdown === 0 ? 'the same code: false alarms in' : `slowed down by ${figure(100 * slowdown)} %: found`

  return `${size}, ${what} ${share}; rows unclear: ${unclear}; ${comparisons} comparisons of ${figure(medianSeconds)} s at a load of ${figure(medianLoad, 1)}, of ${commits.join(', ')}. ${machines.join(' ')}`
}
