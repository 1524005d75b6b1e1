import { sayFailed } from '../../harness/failed-rows.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runLayers } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printLayers } from './print.ts'
import { layersSection } from './readme-section.ts'
import type { Flags, LayersOptions } from './options.ts'
import type { LayersReport } from './report.ts'

export const LAYERS = defineCase<Flags, LayersOptions, LayersReport>({
  key: 'layers',
  description: 'scan the same records through every layer between a file and what is in them',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
    '--layers <keys>': `of ${defaults.layers.join(',')}`,
    '--read-sizes <bytes>': `bytes that are read at once (${defaults.readSizes.join(',')})`,
    '--bytes <n>': `of all records, at least (${defaults.bytes})`,
    '--seed <text>': `what the records are drawn from (${defaults.seed})`,
    '--timeout <minutes>': `for one call to a layer (${defaults.timeoutMs / 60_000})`
  },
  all: { flags: { bytes: 100_000_000 }, minutes: 5 },
  readOptions,
  run: runLayers,
  print: printLayers,

  faults: ({ rows }) => sayFailed(rows, ({ layer, readBytes }) => [layer, `reads of ${readBytes} bytes`]),
  targets: ({ targets }) => targets,

  sections,
  readme: layersSection
})
