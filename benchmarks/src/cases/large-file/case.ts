import { sayFailed } from '../../harness/failed-rows.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runLargeFile } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printLargeFile } from './print.ts'
import type { Flags, LargeFileOptions } from './options.ts'
import type { LargeFileReport } from './report.ts'

export const LARGE_FILE = defineCase<Flags, LargeFileOptions, LargeFileReport>({
  key: 'large-file',
  description: 'write one large file into a pack store and read it back, beside the floor and hashing alone',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--bytes <n>': `of the file (${defaults.bytes})`
  },
  all: { flags: {}, minutes: 3 },
  readOptions,
  run: runLargeFile,
  print: printLargeFile,

  faults: ({ rows }) => sayFailed(rows, ({ phase }) => [phase]),
  targets: ({ targets }) => targets,

  sections
})
