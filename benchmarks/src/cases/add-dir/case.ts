import { defaults, readOptions } from '../../command-line.ts'
import { markdownTable } from '../../harness/markdown.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runAddDir } from './index.ts'
import { printTable } from './print-table.ts'
import { readmeSection } from './readme-section.ts'
import { judgeTargets } from './targets.ts'
import { judgeReport } from './verdict.ts'
import type { AddDirOptions } from './options.ts'
import type { Report } from './report.ts'
import type { Flags } from '../../command-line.ts'

export const ADD_DIR = defineCase<Flags, AddDirOptions, Report>({
  key: 'add-dir',
  description: 'import directories with every contender',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
    '--test-path <dir>': 'measure this directory instead of the default corpora, may be repeated (or TEST_PATH)',
    '--contenders <keys>': `of ${defaults.contenders.join(',')}`,
    '--optional <keys>': 'contenders whose absence does not fail the run',
    '--corpora <names>': `of ${defaults.corpora.join(',')}`,
    '--unique': 'also measure every corpus without the files of equal content',
    '--without-links': 'also measure every corpus without its symbolic links',
    '--timeout <minutes>': `for one call to a contender (${defaults.timeoutMs / 60_000})`
  },
  all: { flags: {}, minutes: 8 },
  readOptions,
  run: runAddDir,

  print (report) {
    const targets = judgeTargets(report.rows)

    return [
      printTable(report.rows),
      ...targets.length > 0 ? [markdownTable(TARGET_COLUMNS, targets)] : [],
      judgeReport(report).lines.join('\n')
    ].join('\n\n')
  },

  faults: report => judgeReport(report).faults,
  targets: ({ rows }) => judgeTargets(rows),
  sections,
  readme: readmeSection
})
