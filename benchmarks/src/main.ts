import { printTable, runAddDir } from './cases/add-dir/index.ts'
import { defaults, readOptions } from './command-line.ts'
import { runCommand, runLong, writeReport } from './run-command.ts'
import type { Flags } from './command-line.ts'

/**
 * Runs what the command line asks for. The exit code says whether all held.
 */
export async function main (argv: readonly string[]): Promise<void> {
  await runCommand('npm start --', argv, {
    usage: '[case]',
    description: 'take directories in with every contender (add-dir, the only case so far)',
    flags: {
      '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
      '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
      '--test-path <dir>': 'measure this directory instead of the default corpora, may be repeated (or TEST_PATH)',
      '--contenders <keys>': `of ${defaults.contenders.join(',')}`,
      '--optional <keys>': 'contenders whose absence does not fail the run',
      '--corpora <names>': `of ${defaults.corpora.join(',')}`,
      '--unique': 'also measure every corpus without the files of equal content',
      '--without-links': 'also measure every corpus without its symbolic links',
      '--timeout <minutes>': `for one call to a contender (${defaults.timeoutMs / 60_000})`,
      '--json <file>': 'write the report there'
    },
    run: addDir
  })
}

async function addDir (flags: Flags, name: string | undefined): Promise<void> {
  if (name != null && name !== 'add-dir') {
    throw new Error(`there is no case ${name}; there is add-dir`)
  }

  const options = readOptions(flags, process.env)
  const { report, verdict } = await runLong(async (progress, signal) => runAddDir(options, progress, signal))

  process.stdout.write(`${printTable(report.rows)}\n`)
  process.stdout.write(`\n${verdict.lines.join('\n')}\n`)

  await writeReport(flags.json, report)

  if (!verdict.passed) {
    process.exitCode = 1
  }
}
