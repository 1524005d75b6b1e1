import { withInterruption } from '../harness/interruption.ts'
import { describeMachine } from '../harness/machine.ts'
import { figure } from '../harness/markdown.ts'
import { withTemporaryDirectory } from '../harness/temporary.ts'
import { withProgress } from '../harness/with-progress.ts'
import { readList, readWhole } from '../read-flags.ts'
import { withResumed } from '../run-case.ts'
import { runCommand, writeReport } from '../run-command.ts'
import { gatePlans } from './plan.ts'
import { proportion } from './proportions.ts'
import { gateRows } from './rows/index.ts'
import { questions, runStudy } from './study.ts'
import type { Proportion } from './proportions.ts'
import type { Comparison, Question, StudyOptions } from './study.ts'

const defaults = { comparisons: 200, from: 0, file: 'gate-study.jsonl' }

type Flags = Readonly<Partial<Record<keyof StudyOptions | 'file', unknown>>> & { readonly json?: string }

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
}

/**
 * Studies the gate, as long as that takes: it can be interrupted and goes on with its file.
 */
export async function gateStudy (argv: readonly string[]): Promise<void> {
  await runCommand('npm run gate:study --', argv, {
    usage: '',
    description: 'see how often the gate alarms without a cause, and finds what is slowed down',
    flags: {
      '--comparisons <n>': `of each question, those in the file included (${defaults.comparisons})`,
      '--from <n>': `leave the first ones to another process, with a file of its own (${defaults.from})`,
      '--questions <keys>': `of ${questions.map(({ key }) => key).join(',')}`,
      '--file <file>': `of all comparisons, which is gone on with (${defaults.file})`,
      '--json <file>': 'write what they say there'
    },
    run
  })
}

async function run (flags: Flags): Promise<void> {
  const options = {
    comparisons: readWhole('comparisons', flags.comparisons ?? defaults.comparisons, 1),
    from: readWhole('from', flags.from ?? defaults.from, 0),
    questions: readList(flags.questions) ?? questions.map(({ key }) => key)
  }
  const file = String(flags.file ?? defaults.file)

  await withInterruption(async signal => {
    // what another gate decided says nothing of this one
    const made = await withResumed(file, { gatePlans, rows: gateRows.map(({ key }) => key) }, async journal => {
      return withProgress(async progress => runStudy(options, { progress, signal, journal }))
    })
    const answers = questions.map(question => answer(question, made)).filter(({ comparisons }) => comparisons > 0)

    process.stdout.write(`${answers.map(say).join('\n')}\n`)
    await writeReport(flags.json, { schema: 1, machine: await withTemporaryDirectory(describeMachine), answers })
  })
}

export function answer ({ key, size, slowdown }: Question, made: readonly Comparison[]): Answer {
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
    medianSeconds: middle(own.map(({ seconds }) => seconds)),
    medianLoad: middle(own.map(({ load }) => load))
  }
}

function say ({ size, slowdown, comparisons, alarms, unclear, medianSeconds, medianLoad }: Answer): string {
  const share = `${figure(100 * alarms.count / alarms.of, 1)} % (${alarms.count} of ${alarms.of}, 95 % interval ${figure(100 * alarms.from, 2)} to ${figure(100 * alarms.to, 2)} %)`
  const what = slowdown === 0 ? 'the same code: false alarms in' : `slowed down by ${figure(100 * slowdown)} %: found`

  return `${size}, ${what} ${share}; ${unclear} rows unclear; ${comparisons} comparisons of ${figure(medianSeconds)} s at a load of ${figure(medianLoad, 1)}`
}

function middle (values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
