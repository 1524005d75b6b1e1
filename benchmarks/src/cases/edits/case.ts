import { sayFailed } from '../../harness/failed-rows.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runEdits } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printEdits } from './print.ts'
import { editsSection } from './readme-section.ts'
import type { EditsOptions, Flags } from './options.ts'
import type { EditsReport } from './report.ts'

export const EDITS = defineCase<Flags, EditsOptions, EditsReport>({
  key: 'edits',
  description: 'write, read, edit and compare trees with every contender that can',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
    '--contenders <keys>': `of ${defaults.contenders.join(',')}`,
    '--workloads <keys>': `of ${defaults.workloads.join(',')}`,
    '--writes <n>': `files that are written before a commit (${defaults.writes})`,
    '--reads <n>': `files that are read by path (${defaults.reads})`,
    '--content-bytes <n>': `of each of them (${defaults.contentBytes})`,
    '--fewer <n>': `files in the smaller directory that writes are compared in (${defaults.fewer})`,
    '--more <n>': `files in the larger one (${defaults.more})`,
    '--file-bytes <n>': `of the file that is edited in its middle (${defaults.fileBytes})`,
    '--tree-files <n>': `in each of the trees that are compared (${defaults.treeFiles})`,
    '--differing <n>': `of them (${defaults.differing})`,
    '--timeout <minutes>': `for one call to a contender (${defaults.timeoutMs / 60_000})`
  },
  // Helia MFS' time for a write grows with the directory, and most of a full run is that
  all: { flags: { writes: 1_000, reads: 300, fileBytes: 2 ** 28 }, minutes: 6 },
  readOptions,
  run: runEdits,
  print: printEdits,

  faults: ({ rows }) => sayFailed(rows, ({ contender, phase }) => [contender, phase]),
  targets: ({ targets }) => targets,

  sections,
  readme: editsSection
})
