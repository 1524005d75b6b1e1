import { figure, markdownTable } from '../../harness/markdown.ts'
import { runCommand, runLong, writeReport } from '../../run-command.ts'
import { defaults, readOptions } from './options.ts'
import { runMemory } from './report.ts'
import type { Flags } from './options.ts'
import type { Held, MemoryReport, WatchedFigures } from './report.ts'

export type { MemoryReport } from './report.ts'

/**
 * Measures what imports hold in memory. The exit code says whether all limits
 * were kept.
 */
export async function measureMemory (argv: readonly string[]): Promise<void> {
  await runCommand('npm run measure:memory --', argv, {
    usage: '',
    description: 'import a tree into memory, a file onto disk and a stream, and hold their memory and aborts against limits',
    flags: {
      '--files <n>': `of the tree (${defaults.files})`,
      '--tree-bytes <n>': `of its files together (${defaults.treeBytes})`,
      '--file-bytes <n>': `of the one file (${defaults.fileBytes})`,
      '--stream-bytes <n>': `of a stream into a store that keeps nothing (${defaults.streamBytes})`,
      '--aborts <n>': `of each import but the tree's (${defaults.aborts})`,
      '--tree-megabytes <n>': `limit beyond the stored bytes, in 10^6 bytes (${defaults.treeMegabytes})`,
      '--file-megabytes <n>': `limit for the file and the stream (${defaults.fileMegabytes})`,
      '--held-ms <n>': `limit for holding the event loop (${defaults.heldMs})`,
      '--runs <n>': `of an import that holds it for longer, of which the quietest counts (${defaults.runs})`,
      '--abort-ms <n>': `limit for an abort (${defaults.abortMs})`,
      '--seed <text>': `what everything is drawn from (${defaults.seed})`,
      '--json <file>': 'write the report there'
    },
    run
  })
}

async function run (flags: Flags): Promise<void> {
  const options = readOptions(flags)
  const report = await runLong(async (progress, signal) => runMemory(options, progress, signal))

  process.stdout.write(`${printReport(report)}\n`)

  await writeReport(flags.json, report)

  if (report.figures.some(isMissed)) {
    process.exitCode = 1
  }
}

function printReport ({ machine, options, tree, imports: { file, pack, stream }, figures }: MemoryReport): string {
  const runs = [file.runs, pack.runs, stream.runs]

  return [
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`,
    `Tree: ${figure(tree.files)} files, ${figure(tree.storedBytes / 1e6, 1)} MB stored, memory ${figure(tree.startBytes / 1e6)} MB at the start and ${figure(tree.peakBytes / 1e6)} MB at the peak. File: ${figure(options.fileBytes / 1e6)} MB in ${figure(file.runs[0].importMs / 1000, 1)} s, memory ${figure(file.runs[0].startBytes / 1e6)} MB at the start.`,
    markdownTable<Held>([
      { title: 'what', align: 'left', cell: ({ what }) => what },
      { title: 'measured', cell: ({ value, unit }) => `${figure(value, 1)} ${unit}` },
      { title: 'limit', cell: ({ limit, unit }) => `${figure(limit)} ${unit}` },
      { title: 'result', align: 'left', cell: held => isMissed(held) ? 'missed' : 'kept' }
    ], figures),
    `The event loop was held for ${runs.map(sayHeld).join('; ')} ms (in brackets: a process beside it that only looked at the clock).`
  ].join('\n\n')
}

function sayHeld (runs: readonly WatchedFigures[]): string {
  return runs.map(({ heldMs, besideMs }) => `${figure(heldMs)} (${figure(besideMs)})`).join(', ')
}

function isMissed ({ value, limit }: Held): boolean {
  return value > limit
}
