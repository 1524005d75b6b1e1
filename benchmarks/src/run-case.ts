import { identifyCode } from './harness/identify-code.ts'
import { withInterruption } from './harness/interruption.ts'
import { noJournal, withJournal, withoutFailures } from './harness/journal.ts'
import { describeMachine } from './harness/machine.ts'
import { commitOf, describeMade } from './harness/made.ts'
import { resolveGiven } from './harness/resolve-given.ts'
import { withSittings } from './harness/sittings.ts'
import { withTemporaryDirectory } from './harness/temporary.ts'
import { withProgress } from './harness/with-progress.ts'
import { writePage } from './report/write-page.ts'
import { writeReport } from './run-command.ts'
import type { Case } from './cases/case.ts'
import type { Journal } from './harness/journal.ts'

/**
 * What every case can be told; the other flags are its own
 */
export interface CaseFlags {
  readonly json?: string
  readonly report?: string
  readonly resume?: string
}

/**
 * Runs one case, prints its report and writes it where that is asked for. What
 * was measured before an interrupt is printed and written all the same.
 */
export async function runCase (subject: Case, { json, report: directory, resume, ...flags }: CaseFlags): Promise<void> {
  const { options, run } = await subject.prepare(flags, process.env)
  // before the run, which may take as long as a commit
  const made = await describeMade(process.argv.slice(2), process.env)

  await withInterruption(async signal => {
    const report = await withResumed(resume, { case: subject.key, options }, async kept => {
      const { journal, count } = withSittings(kept)
      const measured = await withProgress(async progress => run({ progress, signal, journal }))

      return { ...measured, made: { ...made, sittings: count() } }
    })
    const { text, faults } = subject.show(report)

    process.stdout.write(`${text}\n`)
    await writeReport(json, report)

    if (directory != null) {
      process.stdout.write(`\n${await writePage([report], resolveGiven(directory))}\n`)
    }

    if (report.interrupted != null) {
      process.stderr.write(`${report.interrupted}\n`)
    }

    if (faults.length > 0) {
      process.exitCode = 1
    }
  })
}

/**
 * Runs with the journal in a file, if one was named. Its results are of one machine and one state of the code.
 */
export async function withResumed <T> (file: string | undefined, identity: object, run: (journal: Journal) => Promise<T>): Promise<T> {
  if (file == null) {
    return run(noJournal)
  }

  return withJournal(resolveGiven(file), { ...identity, ...await identifyCode(await commitOf()), machine: await withTemporaryDirectory(describeMachine) }, async journal => run(withoutFailures(journal)))
}
