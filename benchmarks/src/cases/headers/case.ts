import { sayFailed } from '../../harness/failed-rows.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runHeaders } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printHeaders } from './print.ts'
import { headersSection } from './readme-section.ts'
import type { Flags, HeadersOptions } from './options.ts'
import type { HeadersReport } from './report.ts'

export const HEADERS = defineCase<Flags, HeadersOptions, HeadersReport>({
  key: 'headers',
  description: 'read, write and copy files with metadata in headers, in blocks of its own, and in directories',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
    '--small-samples <n>': `samples of a row of files below 1 MiB, as far as they come within four times --min-time (${defaults.smallSamples})`,
    '--contenders <keys>': `of ${defaults.contenders.join(',')}`,
    '--operations <keys>': `of ${defaults.operations.join(',')}`,
    '--sizes <bytes>': `of a file (${defaults.sizes.join(',')})`,
    '--stores <keys>': `of ${defaults.stores.join(',')}`,
    '--timeout <minutes>': `for one call to a contender (${defaults.timeoutMs / 60_000})`
  },
  all: { flags: { iterations: 15, minTime: 200 }, minutes: 9 },
  readOptions,
  run: runHeaders,
  print: printHeaders,

  faults: ({ rows }) => sayFailed(rows, ({ contender, operation, fileBytes, store }) => [contender, operation, `${fileBytes} bytes`, store]),

  sections,
  readme: headersSection
})
