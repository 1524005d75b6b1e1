import { withInterruption } from '../harness/interruption.ts'
import { withJournal } from '../harness/journal.ts'
import { resolveGiven } from '../harness/resolve-given.ts'
import { withProgress } from '../harness/with-progress.ts'
import { readList, readWhole } from '../read-flags.ts'
import { runCommand, writeReport } from '../run-command.ts'
import { answersOf, sayAnswers } from './answers.ts'
import { questions, runStudy, studiedGate } from './study.ts'
import type { StudyOptions } from './study.ts'

const defaults = { comparisons: 200, from: 0, file: 'gate-study.jsonl' }

type Flags = Readonly<Partial<Record<keyof StudyOptions | 'file', unknown>>> & { readonly json?: string }

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
    questions: readList('questions', flags.questions) ?? questions.map(({ key }) => key)
  }
  const file = resolveGiven(String(flags.file ?? defaults.file))

  await withInterruption(async signal => {
    const made = await withJournal(file, await studiedGate(), async journal => {
      return withProgress(async progress => runStudy(options, { progress, signal, journal }))
    })

    process.stdout.write(`${sayAnswers(made).join('\n')}\n`)
    await writeReport(flags.json, { schema: 2, answers: answersOf(made) })
  })
}
