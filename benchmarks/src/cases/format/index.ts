import { writeFile } from 'node:fs/promises'
import { cac } from 'cac'
import { describeError } from '../../harness/describe-error.ts'
import { withInterruption } from '../../harness/interruption.ts'
import { resolveGiven } from '../../harness/resolve-given.ts'
import { withProgress } from '../../harness/with-progress.ts'
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
  const cli = cac('npm run measure:format --')

  cli.command('', 'measure boundaries, listings and the inline limit')
    .option('--entries <list>', `sizes of directories (${defaults.entries.join(',')})`)
    .option('--inlined <n>', `size of the one with inlined content, 0 for none (${defaults.inlined})`)
    .option('--inserts <n>', `into each of them (${defaults.inserts})`)
    .option('--name-sets <n>', `sets of names that are listed (${defaults.nameSets})`)
    .option('--limits <list>', `inline limits (${defaults.limits.join(',')})`)
    .option('--edits <n>', `of one file under each limit (${defaults.edits})`)
    .option('--iterations <n>', `imports under each limit into each store (${defaults.iterations})`)
    .option('--stores <keys>', `to time imports into, of ${defaults.stores.join(',')}`)
    .option('--test-path <dir>', 'import this directory instead of a generated tree (or TEST_PATH)')
    .option('--seed <text>', `what everything is drawn from (${defaults.seed})`)
    .option('--json <file>', 'write the report there')
    .action(run)
  cli.help()

  try {
    cli.parse([...argv], { run: false })
    await cli.runMatchedCommand()
  } catch (err) {
    process.stderr.write(`${describeError(err)}\n`)
    process.exitCode = 1
  }
}

async function run (flags: Flags): Promise<void> {
  const options = readOptions(flags, process.env)
  const report = await withInterruption(async signal => withProgress(async progress => runFormat(options, progress, signal)))

  process.stdout.write(`${printReport(report)}\n`)

  if (flags.json != null) {
    await writeFile(resolveGiven(flags.json), JSON.stringify(report, null, 2) + '\n')
  }
}
