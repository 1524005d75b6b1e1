import { runCommand, runLong, writeReport } from '../../run-command.ts'
import { defaults, readOptions } from './options.ts'
import { printReport } from './print.ts'
import { runFormat } from './report.ts'
import type { Flags } from './options.ts'

export type { FormatReport } from './report.ts'

/**
 * Measures the figures of the format on the code as it is, and prints them in
 * Markdown.
 */
export async function measureFormat (argv: readonly string[]): Promise<void> {
  await runCommand('npm run measure:format --', argv, {
    usage: '',
    description: 'measure boundaries, listings and the inline limit',
    flags: {
      '--entries <list>': `sizes of directories (${defaults.entries.join(',')})`,
      '--inlined <n>': `size of the one with inlined content, 0 for none (${defaults.inlined})`,
      '--inserts <n>': `into each of them (${defaults.inserts})`,
      '--name-sets <n>': `sets of names that are listed (${defaults.nameSets})`,
      '--limits <list>': `inline limits (${defaults.limits.join(',')})`,
      '--edits <n>': `of one file under each limit (${defaults.edits})`,
      '--iterations <n>': `imports under each limit into each store (${defaults.iterations})`,
      '--stores <keys>': `to time imports into, of ${defaults.stores.join(',')}`,
      '--test-path <dir>': 'import this directory instead of a generated tree (or TEST_PATH)',
      '--seed <text>': `what everything is drawn from (${defaults.seed})`,
      '--json <file>': 'write the report there'
    },
    run
  })
}

async function run (flags: Flags): Promise<void> {
  const options = readOptions(flags, process.env)
  const report = await runLong(async (progress, signal) => runFormat(options, progress, signal))

  process.stdout.write(`${printReport(report)}\n`)

  await writeReport(flags.json, report)
}
