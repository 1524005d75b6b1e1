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
import type { AbortFigures, FileFigures, Tasks, TreeFigures, WatchFigures } from './tasks.ts'
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
export interface WatchedFigures extends FileFigures {
  readonly besideMs: number
}

export interface MemoryReport {
  readonly schema: 1
  readonly machine: Machine
  readonly options: MemoryOptions
  readonly tree: TreeFigures
  /**
   * Its runs, of which there is one where that did not hold the event loop for
   * too long
   */
  readonly file: readonly WatchedFigures[]
  /**
   * The same file into the pack store
   */
  readonly pack: readonly WatchedFigures[]
  readonly stream: readonly WatchedFigures[]
  readonly aborts: readonly AbortFigures[]
  readonly figures: readonly Held[]
}

const DEPTH = 6
const DUPLICATES = 0.1
const LATEST_ABORT_MS = 20

/**
 * Measures the memory of both imports, each in a process of its own.
 */
export async function runMemory (options: MemoryOptions, progress: Progress, signal: AbortSignal): Promise<MemoryReport> {
  return withTemporaryDirectory(async scratch => {
    const machine = await describeMachine(scratch)

    progress(`memory: a tree of ${options.files} files`)

    const tree = await measureTree(options, scratch, signal)

    progress(`memory: a file of ${options.fileBytes} bytes`)

    const source = join(scratch, 'source')

    await mkdir(source)
    await writeFile(join(source, 'large.bin'), keystream(options.seed, options.fileBytes), { flag: 'wx', signal })
    await flushToDisk()

    const file = await untilQuiet(options, signal, async () => inStore(scratch, async store => runTask<FileFigures>(signal, 'file', source, store)))
    const pack = await untilQuiet(options, signal, async () => inStore(scratch, async store => runTask<FileFigures>(signal, 'pack', source, store)))

    progress(`memory: a stream of ${options.streamBytes} bytes`)

    const stream = await untilQuiet(options, signal, async () => runTask<FileFigures>(signal, 'stream', String(options.streamBytes)))
    const aborts = await measureAborts(options, source, scratch, progress, signal)

    return { schema: 1, machine, options, tree, file, pack, stream, aborts, figures: figuresOf(options, { tree, file, pack, stream, aborts }) }
  })
}

async function measureTree ({ files, treeBytes, seed }: MemoryOptions, scratch: string, signal: AbortSignal): Promise<TreeFigures> {
  const directory = join(scratch, 'tree')

  await generateTree(directory, { files, bytes: treeBytes, depth: DEPTH, duplicates: DUPLICATES, seed })

  try {
    const figures = await runTask<TreeFigures>(signal, 'tree', directory)

    if (figures.files !== files) {
      throw new Error(`${files} files were to be imported, and ${figures.files} were`)
    }

    return figures
  } finally {
    await rm(directory, { recursive: true })
  }
}

/**
 * Aborts come while the first half of the file is imported
 */
async function measureAborts ({ aborts, fileBytes, seed }: MemoryOptions, source: string, scratch: string, progress: Progress, signal: AbortSignal): Promise<AbortFigures[]> {
  const random = new SeededRandom(`${seed}/aborts`)
  const firstHalf = Math.max(1, Math.floor(fileBytes / 2 ** 21))
  const figures = []

  for (let abort = 0; abort < aborts; abort++) {
    const afterPuts = random.below(firstHalf)
    const delayMs = random.below(LATEST_ABORT_MS)

    progress(`abort ${abort + 1} of ${aborts}`)
    figures.push(await inStore(scratch, async store => runTask<AbortFigures>(signal, 'abort', source, store, String(afterPuts), String(delayMs))))
  }

  return figures
}

/**
 * What an import does to the event loop, it does every time; what the machine
 * takes from it for others, it does not.
 */
async function untilQuiet ({ heldMs, runs }: MemoryOptions, signal: AbortSignal, run: () => Promise<FileFigures>): Promise<WatchedFigures[]> {
  const figures: WatchedFigures[] = []

  while (figures.length < runs && figures.every(held => held.heldMs > heldMs)) {
    const watcher = startTask(signal, 'watch')
    const [held, { stdout }] = await Promise.all([run().finally(() => watcher.stdin.end()), watcher])
    const { heldMs: besideMs }: WatchFigures = JSON.parse(stdout)

    figures.push({ ...held, besideMs })
  }

  return figures
}

async function inStore <T> (scratch: string, run: (directory: string) => Promise<T>): Promise<T> {
  const directory = join(scratch, 'store')

  await mkdir(directory)

  try {
    return await run(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function runTask <T> (signal: AbortSignal, task: keyof Tasks, ...args: string[]): Promise<T> {
  return JSON.parse((await startTask(signal, task, ...args)).stdout)
}

function startTask (signal: AbortSignal, task: keyof Tasks, ...args: string[]): ResultPromise<{ cancelSignal: AbortSignal, stdin: 'pipe' }> {
  // the file beside this one when both are compiled
  return execa(process.execPath, [fileURLToPath(new URL('child.js', import.meta.url)), task, ...args], { cancelSignal: signal, stdin: 'pipe' })
}

function figuresOf (options: MemoryOptions, { tree, file, pack, stream, aborts }: Pick<MemoryReport, 'tree' | 'file' | 'pack' | 'stream' | 'aborts'>): Held[] {
  const largestAbort = max(aborts.map(({ abortMs }) => abortMs))

  return [
    { what: 'tree into memory: peak memory beyond the stored bytes', unit: 'MB', value: (tree.peakBytes - tree.storedBytes) / 1e6, limit: options.treeMegabytes },
    ...fileFigures('file into blockstore-fs', file, options),
    ...fileFigures('file into the pack store, synced', pack, options),
    ...fileFigures('stream into a store that keeps nothing', stream, options),
    { what: `file into blockstore-fs: slowest of ${aborts.length} aborts`, unit: 'ms', value: largestAbort, limit: options.abortMs }
  ]
}

function fileFigures (what: string, runs: readonly WatchedFigures[], options: MemoryOptions): Held[] {
  const quietest = runs.length === 1 ? '' : `, in the quietest of ${runs.length} runs`

  return [
    { what: `${what}: peak memory`, unit: 'MB', value: max(runs.map(({ peakBytes }) => peakBytes)) / 1e6, limit: options.fileMegabytes },
    { what: `the same: longest time the event loop was held${quietest}`, unit: 'ms', value: min(runs.map(({ heldMs }) => heldMs)), limit: options.heldMs }
  ]
}
