import { sayFailed } from '../../harness/failed-rows.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runStore } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printStore } from './print.ts'
import type { Flags, StoreOptions } from './options.ts'
import type { StoreReport } from './report.ts'

export const STORE = defineCase<Flags, StoreOptions, StoreReport>({
  key: 'store',
  description: 'fill stores with small blocks, get some at random, open and scan what was filled',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
    '--blocks <n>': `in the large pack store (${defaults.blocks})`,
    '--fewer <n>': `in the small one (${defaults.fewer})`,
    '--fs-blocks <n>': `in blockstore-fs (${defaults.fsBlocks})`,
    '--block-bytes <n>': `of each of them (${defaults.blockBytes})`,
    '--gets <n>': `blocks that one sample gets (${defaults.gets})`,
    '--timeout <minutes>': `for one call to a store's process (${defaults.timeoutMs / 60_000})`
  },
  all: { flags: {}, minutes: 4 },
  readOptions,
  run: runStore,
  print: printStore,

  faults: ({ rows }) => sayFailed(rows, ({ contender, phase }) => [contender, phase]),
  targets: ({ targets }) => targets,

  sections
})
