import { writeFile } from 'node:fs/promises'
import { cac } from 'cac'
import { describeError } from './harness/describe-error.ts'
import { withInterruption } from './harness/interruption.ts'
import { resolveGiven } from './harness/resolve-given.ts'
import { withProgress } from './harness/with-progress.ts'
import type { Progress } from './tools/progress.ts'

/**
 * One command of a command line
 */
export interface Command<F> {
  /**
   * Its name and its one argument, as in `generate <dir>`; without a name, what
   * runs where no other command was named
   */
  readonly usage: string
  readonly description: string
  /**
   * What each flag means, by how it is written: `--files <n>`
   */
  readonly flags: Readonly<Record<string, string>>
  run(flags: F, argument: string | undefined): Promise<void>
}

/**
 * Runs what a command line asks for. What goes wrong is one line on stderr and
 * exit code 1.
 */
export async function runCommand <F> (start: string, argv: readonly string[], ...commands: ReadonlyArray<Command<F>>): Promise<void> {
  const cli = cac(start)

  for (const { usage, description, flags, run } of commands) {
    const command = cli.command(usage, description)

    for (const [flag, meaning] of Object.entries(flags)) {
      command.option(flag, meaning)
    }

    // the parser hands over the argument, if there may be one, and then the flags
    command.action(async (...received) => run(received.at(-1), received.length > 1 ? received[0] : undefined))
  }

  cli.help()

  try {
    requireValues(argv)
    cli.parse([...argv], { run: false })
    await cli.runMatchedCommand()
  } catch (err) {
    process.stderr.write(`${describeError(err)}\n`)
    process.exitCode = 1
  }
}

/**
 * Refuses a flag with an empty value, of which the parser makes the number 0.
 */
function requireValues (argv: readonly string[]): void {
  const flag = argv.find((arg, index) => arg.startsWith('--') && argv[index + 1] === '')

  if (flag != null) {
    throw new Error(`option \`${flag}\` value is missing`)
  }
}

/**
 * Runs something that takes a while: it tells its progress, and an interrupt
 * aborts it.
 */
export async function runLong <T> (run: (progress: Progress, signal: AbortSignal) => Promise<T>): Promise<T> {
  return withInterruption(async signal => withProgress(async progress => run(progress, signal)))
}

/**
 * Writes a report into the file that `--json` names, if it names one.
 */
export async function writeReport (json: string | undefined, report: unknown): Promise<void> {
  if (json != null) {
    await writeFile(resolveGiven(json), `${JSON.stringify(report, null, 2)}\n`)
  }
}
