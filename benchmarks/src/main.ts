import { writeFile } from 'node:fs/promises'
import { cac } from 'cac'
import { printTable, runAddDir } from './cases/add-dir/index.ts'
import { defaults, readOptions } from './command-line.ts'
import { describeError } from './harness/describe-error.ts'
import { withInterruption } from './harness/interruption.ts'
import { resolveGiven } from './harness/resolve-given.ts'
import { withProgress } from './harness/with-progress.ts'
import type { Flags } from './command-line.ts'

/**
 * Runs what the command line asks for. The exit code says whether all held.
 */
export async function main (argv: readonly string[]): Promise<void> {
  const cli = cac('npm start --')

  cli.command('[case]', 'take directories in with every contender (add-dir, the only case so far)')
    .option('--iterations <n>', `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`)
    .option('--min-time <ms>', `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`)
    .option('--test-path <dir>', 'measure this directory instead of the default corpora, may be repeated (or TEST_PATH)')
    .option('--contenders <keys>', `of ${defaults.contenders.join(',')}`)
    .option('--optional <keys>', 'contenders whose absence does not fail the run')
    .option('--corpora <names>', `of ${defaults.corpora.join(',')}`)
    .option('--unique', 'also measure every corpus without the files of equal content')
    .option('--without-links', 'also measure every corpus without its symbolic links')
    .option('--timeout <minutes>', `for one call to a contender (${defaults.timeoutMs / 60_000})`)
    .option('--json <file>', 'write the report there')
    .action(addDir)
  cli.help()

  try {
    cli.parse([...argv], { run: false })
    await cli.runMatchedCommand()
  } catch (err) {
    process.stderr.write(`${describeError(err)}\n`)
    process.exitCode = 1
  }
}

async function addDir (name: string | undefined, flags: Flags): Promise<void> {
  if (name != null && name !== 'add-dir') {
    throw new Error(`there is no case ${name}; there is add-dir`)
  }

  const options = readOptions(flags, process.env)
  const { report, verdict } = await withInterruption(async signal => withProgress(async progress => runAddDir(options, progress, signal)))

  process.stdout.write(`${printTable(report.rows)}\n`)
  process.stdout.write(`\n${verdict.lines.join('\n')}\n`)

  if (flags.json != null) {
    await writeFile(resolveGiven(flags.json), JSON.stringify(report, null, 2) + '\n')
  }

  if (!verdict.passed) {
    process.exitCode = 1
  }
}
