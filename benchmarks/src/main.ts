import { cases, defaultCase } from './cases/index.ts'
import { runAll } from './run-all.ts'
import { runCase } from './run-case.ts'
import { runCommand } from './run-command.ts'
import type { Case } from './cases/case.ts'
import type { AllFlags } from './run-all.ts'
import type { CaseFlags } from './run-case.ts'
import type { Command } from './run-command.ts'

/**
 * Runs what the command line asks for. The exit code says whether all held.
 */
export async function main (argv: readonly string[]): Promise<void> {
  await runCommand<CaseFlags & AllFlags>('npm start --', argv, BY_DEFAULT, ...cases.map(commandOf), ALL)
}

const OUTPUT_FLAGS = {
  '--json <file>': 'write the report there',
  '--report <dir>': 'write the report there as JSON, as Markdown, and as a page with charts',
  '--resume <file>': 'keep what is measured there, part by part, and take from there what an earlier run left'
}

const BY_DEFAULT: Command<CaseFlags> = {
  ...commandOf(defaultCase),
  usage: '[case]',
  description: `${defaultCase.description} (${defaultCase.key}, what runs where no case is named)`,

  async run (flags, name) {
    if (name != null && name !== defaultCase.key) {
      throw new Error(`there is no case ${name}; there are ${[...cases.map(({ key }) => key), 'all'].join(', ')}`)
    }

    await runCase(defaultCase, flags)
  }
}

const ALL: Command<AllFlags> = {
  usage: 'all',
  description: 'run every case at a size that ends within the hour, and write one page of all',
  flags: {
    '--cases <keys>': `of ${cases.map(({ key }) => key).join(',')}`,
    '--report <dir>': 'where the page goes (benchmarks/report)',
    '--resume <file>': 'go on with what an interrupted run left there'
  },
  run: runAll
}

function commandOf (subject: Case): Command<CaseFlags> {
  return {
    usage: subject.key,
    description: subject.description,
    flags: { ...subject.flags, ...OUTPUT_FLAGS },
    run: async flags => runCase(subject, flags)
  }
}
