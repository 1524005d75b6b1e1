import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { max, min } from 'simple-statistics'
import { generateTree } from '../../corpora/generate-tree.ts'
import { SeededRandom, keystream } from '../../corpora/keystream.ts'
import { flushToDisk } from '../../harness/flush.ts'
import { describeMachine } from '../../harness/machine.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import type { MemoryOptions } from './options.ts'
import type { AbortFigures, ImportFigures, ImportInit, ImportKey, Tasks, TreeFigures, WatchFigures } from './tasks.ts'
import type { Machine } from '../../harness/machine.ts'
import type { Progress } from '../../tools/progress.ts'
import type { ResultPromise } from 'execa'

/**
 * One figure and what it must not pass
 */
export interface Held {
  readonly what: string
  readonly unit: 'MB' | 'ms'
  readonly value: number
  readonly limit: number
}

/**
 * A run of an import, and for how long the machine held a process beside it that
 * only looked at the clock
 */
export interface WatchedFigures extends ImportFigures {
  readonly besideMs: number
}

export interface MeasuredImport {
  /**
   * One where that did not hold the event loop for too long
   */
  readonly runs: readonly WatchedFigures[]
  readonly aborts: readonly AbortFigures[]
}

export interface MemoryReport {
  readonly schema: 2
  readonly machine: Machine
  readonly options: MemoryOptions
  readonly tree: TreeFigures
  readonly imports: Readonly<Record<ImportKey, MeasuredImport>>
  readonly figures: readonly Held[]
}

const IMPORTS: Readonly<Record<ImportKey, string>> = {
  file: 'file into blockstore-fs',
  pack: 'file into the pack store, synced',
  stream: 'stream into a store that keeps nothing'
}

const KEYS = ['file', 'pack', 'stream'] as const
const DEPTH = 6
const DUPLICATES = 0.1
// of the time of an import: the one that is aborted may be faster
const ABORTED_WITHIN = 0.25

/**
 * Measures the memory of all imports, each in a process of its own.
 */
export async function runMemory (options: MemoryOptions, progress: Progress, signal: AbortSignal): Promise<MemoryReport> {
  return withTemporaryDirectory(async scratch => {
    const machine = await describeMachine(scratch)

    progress(`memory: a tree of ${options.files} files`)

    const tree = await measureTree(options, scratch, signal)

    progress(`memory: making a file of ${options.fileBytes} bytes`)

    const source = join(scratch, 'source')

    await mkdir(source)
    await writeFile(join(source, 'large.bin'), keystream(options.seed, options.fileBytes), { flag: 'wx', signal })
    await flushToDisk()

    const measure = async (key: ImportKey): Promise<MeasuredImport> => measureImport({ key, source, directory: join(scratch, 'store'), streamBytes: options.streamBytes }, options, progress, signal)
    const imports = { file: await measure('file'), pack: await measure('pack'), stream: await measure('stream') }

    return { schema: 2, machine, options, tree, imports, figures: figuresOf(options, tree, imports) }
  })
}

async function measureTree ({ files, treeBytes, seed }: MemoryOptions, scratch: string, signal: AbortSignal): Promise<TreeFigures> {
  const directory = join(scratch, 'tree')

  await generateTree(directory, { files, bytes: treeBytes, depth: DEPTH, duplicates: DUPLICATES, seed })

  try {
    const figures = await runTask(signal, 'tree', { source: directory })

    if (figures.files !== files) {
      throw new Error(`${files} files were to be imported, and ${figures.files} were`)
    }

    return figures
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function measureImport (init: ImportInit, options: MemoryOptions, progress: Progress, signal: AbortSignal): Promise<MeasuredImport> {
  const { key, directory } = init
  const random = new SeededRandom(`${options.seed}/aborts`)
  const aborts: AbortFigures[] = []

  progress(`memory: ${IMPORTS[key]}`)

  const runs = await untilQuiet(options, signal, async () => inNew(directory, async () => runTask(signal, 'import', init)))
  const latestMs = Math.ceil(ABORTED_WITHIN * min(runs.map(({ importMs }) => importMs)))

  while (aborts.length < options.aborts) {
    progress(`memory: ${IMPORTS[key]}, abort ${aborts.length + 1} of ${options.aborts}`)
    aborts.push(await inNew(directory, async () => runTask(signal, 'abort', { ...init, afterMs: random.below(latestMs) })))
  }

  return { runs, aborts }
}

/**
 * What an import does to the event loop, it does every time; what the machine
 * takes from it for others, it does not.
 */
async function untilQuiet ({ heldMs, runs }: MemoryOptions, signal: AbortSignal, run: () => Promise<ImportFigures>): Promise<WatchedFigures[]> {
  const figures: WatchedFigures[] = []

  while (figures.length < runs && figures.every(held => held.heldMs > heldMs)) {
    const watcher = startTask(signal, 'watch')
    const [held, { stdout }] = await Promise.all([run().finally(() => watcher.stdin.end()), watcher])
    const { heldMs: besideMs }: WatchFigures = JSON.parse(stdout)

    figures.push({ ...held, besideMs })
  }

  return figures
}

async function inNew <T> (directory: string, run: () => Promise<T>): Promise<T> {
  await mkdir(directory)

  try {
    return await run()
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function runTask <K extends keyof Tasks> (signal: AbortSignal, task: K, init: Parameters<Tasks[K]>[0]): Promise<Awaited<ReturnType<Tasks[K]>>> {
  return JSON.parse((await startTask(signal, task, init)).stdout)
}

function startTask (signal: AbortSignal, task: keyof Tasks, init: object = {}): ResultPromise<{ cancelSignal: AbortSignal, stdin: 'pipe' }> {
  // the file beside this one when both are compiled
  return execa(process.execPath, [fileURLToPath(new URL('child.js', import.meta.url)), task, JSON.stringify(init)], { cancelSignal: signal, stdin: 'pipe' })
}

function figuresOf (options: MemoryOptions, tree: TreeFigures, imports: MemoryReport['imports']): Held[] {
  return [
    { what: 'tree into memory: peak memory beyond the stored bytes', unit: 'MB', value: (tree.peakBytes - tree.storedBytes) / 1e6, limit: options.treeMegabytes },
    ...KEYS.flatMap(key => figuresOfImport(IMPORTS[key], imports[key], options))
  ]
}

function figuresOfImport (what: string, { runs, aborts }: MeasuredImport, options: MemoryOptions): Held[] {
  const quietest = runs.length === 1 ? '' : `, in the quietest of ${runs.length} runs`

  return [
    { what: `${what}: peak memory`, unit: 'MB', value: max(runs.map(({ peakBytes }) => peakBytes)) / 1e6, limit: options.fileMegabytes },
    { what: `the same: longest time the event loop was held${quietest}`, unit: 'ms', value: min(runs.map(({ heldMs }) => heldMs)), limit: options.heldMs },
    { what: `the same: slowest of ${aborts.length} aborts`, unit: 'ms', value: max(aborts.map(({ abortMs }) => abortMs)), limit: options.abortMs }
  ]
}
