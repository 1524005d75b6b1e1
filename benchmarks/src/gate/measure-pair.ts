import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sum } from 'simple-statistics'
import { describeError } from '../harness/describe-error.ts'
import { startWorker } from '../harness/worker-process.ts'
import { usableCores } from './cores.ts'
import { gateRowOf } from './rows/index.ts'
import type { GatePlan } from './plan.ts'
import type { GateWorkerFunctions, Times } from './protocol.ts'
import type { SeededRandom } from '../corpora/keystream.ts'
import type { WorkerProcess } from '../harness/worker-process.ts'

/**
 * Both builds are measured in slices of this much of the processor's time, in
 * turn, so that whatever else the machine does meets both of them
 */
const SLICE_MS = 15
const LEAST_SLICES = 4
const TIMEOUT_MS = 10 * 60_000
const RANDOM_SEEDS = 2 ** 30

// what V8 does beside the program it does in the program's own time; tables of hashes
// lie alike in both processes of a pair, and otherwise in every other pair; what is
// young has the same room from the beginning, however it would have grown
const v8Flags = (seed: number): string[] => ['--single-threaded', `--hash-seed=${seed}`, `--random-seed=${seed}`, '--min-semi-space-size=16', '--max-semi-space-size=16']

// a failure of the last one goes before one of the first
export const SIDES = ['baseline', 'checkout'] as const

export type Side = typeof SIDES[number]

export interface PairContext {
  /**
   * The module that both processes of a pair run
   */
  readonly driver: string
  /**
   * The directory of each build
   */
  readonly builds: Readonly<Record<Side, string>>
  readonly corpora: Readonly<Record<string, string>>
  /**
   * Where stores go
   */
  readonly directory: string
  readonly plan: Pick<GatePlan, 'warmMs' | 'measuredMs'>
  readonly random: SeededRandom
  /**
   * By how much the checkout is slowed down on purpose, by row
   */
  readonly slowdowns: Readonly<Record<string, number>>
  readonly signal: AbortSignal
}

/**
 * What one pair of processes says of a row
 */
export type PairOutcome =
  | { readonly times: Readonly<Record<Side, Times>>, readonly answers: Readonly<Record<Side, string>> }
  | { readonly answers: Readonly<Record<Side, string>>, readonly differ: true }
  | { readonly side: Side, readonly failure: string }

type Pair = Readonly<Record<Side, WorkerProcess<GateWorkerFunctions>>>

/**
 * Measures rows in a new pair of processes, one for each build, in a random order.
 */
export async function measurePair (rows: readonly string[], context: PairContext): Promise<Map<string, PairOutcome>> {
  const outcomes = new Map<string, PairOutcome>()
  const left = shuffled(rows, context.random)
  const cores = await usableCores()

  while (left.length > 0) {
    await withPair(context, async pair => {
      for (let row = left.shift(); row != null; row = left.shift()) {
        const outcome = await measureRow(row, pair, cores, context)

        outcomes.set(row, outcome)

        // what failed may still be busy, or gone: the others get new processes
        if ('failure' in outcome) {
          return
        }
      }
    })
  }

  return outcomes
}

async function withPair (context: PairContext, run: (pair: Pair) => Promise<void>): Promise<void> {
  const { driver, builds, corpora, signal, random } = context
  const directory = await mkdtemp(join(context.directory, 'pair-'))
  const execArgv = v8Flags(1 + random.below(RANDOM_SEEDS))
  const start = (side: Side): WorkerProcess<GateWorkerFunctions> => startWorker<GateWorkerFunctions>(side, driver, { signal, timeoutMs: TIMEOUT_MS, execArgv })
  // who comes first may get the better memory
  const order = shuffled(SIDES, random)
  const [first, second] = order.map(start)
  const pair = order[0] === 'baseline' ? { baseline: first, checkout: second } : { baseline: second, checkout: first }

  try {
    for (const side of order) {
      await pair[side].functions.open({ build: builds[side], corpora, directory: await mkdtemp(join(directory, `${side}-`)) })
    }

    await run(pair)
  } finally {
    await Promise.allSettled(SIDES.map(async side => pair[side].stop()))
    await rm(directory, { recursive: true, force: true })
  }
}

async function measureRow (row: string, pair: Pair, cores: readonly number[], { plan, random, slowdowns, signal }: PairContext): Promise<PairOutcome> {
  const order = shuffled(SIDES, random)
  // one core may be slower than the other, and the system leaves each process on its own
  const core = cores.length === 0 ? [] : [cores[random.below(cores.length)]]
  const times = { baseline: { wall: [] as number[], cpu: [] as number[] }, checkout: { wall: [] as number[], cpu: [] as number[] } }
  const run = async (side: Side, ms: number): Promise<Times> => pair[side].functions.run(ms, side === 'checkout' ? slowdowns[row] ?? 0 : 0)
  const started = await startRow(row, pair, order, gateRowOf(row).isThreaded ? cores : core, signal)

  if ('failure' in started) {
    return started
  }

  const { answers } = started
  let side: Side = order[0]

  try {
    if (answers.baseline !== answers.checkout) {
      return { answers, differ: true }
    }

    for (side of order) {
      await run(side, plan.warmMs)
    }

    for (let slice = 0; slice < LEAST_SLICES || sum(times[order[0]].cpu) < plan.measuredMs; slice++) {
      // A B, B A, A B, …
      for (side of order) {
        const { wall, cpu } = await run(side, SLICE_MS)

        times[side].wall.push(...wall)
        times[side].cpu.push(...cpu)
      }

      order.reverse()
    }
  } catch (err) {
    signal.throwIfAborted()

    return { side, failure: describeError(err) }
  }

  return { answers, times }
}

/**
 * Opens a row on both sides. Where neither can, it is the checkout's failure.
 */
async function startRow (row: string, pair: Pair, order: readonly Side[], cores: readonly number[], signal: AbortSignal): Promise<{ readonly answers: Readonly<Record<Side, string>> } | Extract<PairOutcome, { failure: string }>> {
  const answers = { baseline: '', checkout: '' }
  const failures = new Map<Side, string>()

  for (const side of order) {
    try {
      answers[side] = await pair[side].functions.start(row, cores)
    } catch (err) {
      signal.throwIfAborted()
      failures.set(side, describeError(err))
    }
  }

  const failed = SIDES.findLast(side => failures.has(side))

  return failed == null ? { answers } : { side: failed, failure: failures.get(failed) ?? '' }
}

function shuffled <T> (items: readonly T[], random: SeededRandom): T[] {
  const result = [...items]

  for (let end = result.length - 1; end > 0; end--) {
    const other = random.below(end + 1);

    [result[end], result[other]] = [result[other], result[end]]
  }

  return result
}
