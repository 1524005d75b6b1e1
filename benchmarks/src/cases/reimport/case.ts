import { sayFailed } from '../../harness/failed-rows.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runReimport } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printReimport } from './print.ts'
import { reimportSection } from './readme-section.ts'
import type { Flags, ReimportOptions } from './options.ts'
import type { ReimportReport } from './report.ts'

export const REIMPORT = defineCase<Flags, ReimportOptions, ReimportReport>({
  key: 'reimport',
  description: 'import a directory again, and export it again, beside a bare walk and cp -r',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--test-path <dir>': 'measure with a copy of this directory instead of a generated one (or TEST_PATH)',
    '--files <n>': `of the generated directory (${defaults.files})`,
    '--bytes <n>': `of them together (${defaults.bytes})`,
    '--changed <n>': `files that change before they are imported again (${defaults.changed})`,
    '--equal-files <n>': `of each of two trees, of which one has ten contents in all (${defaults.equalFiles})`
  },
  all: { flags: {}, minutes: 3 },
  readOptions,
  run: runReimport,
  print: printReimport,

  faults: ({ rows }) => sayFailed(rows, ({ phase }) => [phase]),
  targets: ({ targets }) => targets,

  sections,
  readme: reimportSection
})
