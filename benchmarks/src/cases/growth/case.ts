import { isFault } from '../add-dir/verdict.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runGrowth } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printGrowth } from './print.ts'
import type { Flags, GrowthOptions } from './options.ts'
import type { GrowthReport } from './report.ts'

export const GROWTH = defineCase<Flags, GrowthOptions, GrowthReport>({
  key: 'growth',
  description: 'import trees of growing size, and fit how the time grows with the files',
  flags: {
    '--files <list>': `sizes of the trees (${defaults.files.join(',')})`,
    '--file-bytes <n>': `of a file, on average (${defaults.fileBytes})`,
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
    '--contenders <keys>': `of add-dir's (${defaults.contenders.join(',')})`,
    '--optional <keys>': 'contenders whose absence does not fail the run',
    '--timeout <minutes>': `for one call to a contender (${defaults.timeoutMs / 60_000})`
  },
  all: { flags: { iterations: 3 }, minutes: 10 },
  readOptions,
  run: runGrowth,
  print: printGrowth,

  faults ({ rows, leftOut, options: { optional }, cidEquality }) {
    return [
      ...rows.filter(row => isFault(row, leftOut, optional)).map(({ contender, corpus, status, reason }) => `${contender}, ${corpus}, is ${status}: ${reason}`),
      ...cidEquality.filter(({ equal }) => !equal).map(({ corpus, group }) => `the ${group} CIDs of ${corpus} differ`)
    ]
  },

  sections
})
