import { printTable, runAddDir } from './cases/add-dir/index.ts'
import { CODEC } from './cases/codec/command.ts'
import * as edits from './cases/edits/index.ts'
import { defaults, readOptions } from './command-line.ts'
import { runCommand, runLong, writeReport } from './run-command.ts'
import type { Flags } from './command-line.ts'
import type { Command } from './run-command.ts'

/**
 * Runs what the command line asks for. The exit code says whether all held.
 */
export async function main (argv: readonly string[]): Promise<void> {
  await runCommand('npm start --', argv, ADD_DIR, EDITS, CODEC)
}

const ADD_DIR: Command<Flags> = {
  usage: '[case]',
  description: 'take directories in with every contender (add-dir, what runs where no case is named)',
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

  async run (flags, name) {
    if (name != null && name !== 'add-dir') {
      throw new Error(`there is no case ${name}; there are add-dir, edits and codec`)
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
}

const EDITS: Command<edits.Flags> = {
  usage: 'edits',
  description: 'write, read, edit and compare trees with every contender that can',
  flags: {
    '--iterations <n>': `samples of a row, at least (${edits.defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${edits.defaults.minTimeMs}; or MIN_TIME)`,
    '--contenders <keys>': `of ${edits.defaults.contenders.join(',')}`,
    '--workloads <keys>': `of ${edits.defaults.workloads.join(',')}`,
    '--writes <n>': `files that are written before a commit (${edits.defaults.writes})`,
    '--reads <n>': `files that are read by path (${edits.defaults.reads})`,
    '--content-bytes <n>': `of each of them (${edits.defaults.contentBytes})`,
    '--fewer <n>': `files in the smaller directory that writes are compared in (${edits.defaults.fewer})`,
    '--more <n>': `files in the larger one (${edits.defaults.more})`,
    '--file-bytes <n>': `of the file that is edited in its middle (${edits.defaults.fileBytes})`,
    '--tree-files <n>': `in each of the trees that are compared (${edits.defaults.treeFiles})`,
    '--differing <n>': `of them (${edits.defaults.differing})`,
    '--timeout <minutes>': `for one call to a contender (${edits.defaults.timeoutMs / 60_000})`,
    '--json <file>': 'write the report there'
  },

  async run (flags) {
    const options = edits.readOptions(flags, process.env)
    const report = await runLong(async (progress, signal) => edits.runEdits(options, progress, signal))

    process.stdout.write(`${edits.printEdits(report)}\n`)

    await writeReport(flags.json, report)

    if (report.rows.some(({ status }) => status === 'failed') || report.targets.some(({ kept }) => !kept)) {
      process.exitCode = 1
    }
  }
}
