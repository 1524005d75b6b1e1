import { SeededRandom } from '../corpora/keystream.ts'
import { describeMachine } from '../harness/machine.ts'
import { repositoryRoot } from '../tools/repository.ts'
import { readBaseline } from './baseline.ts'
import { compareBuilds } from './compare-builds.ts'
import { faultsOf } from './faults.ts'
import { comparePeers } from './peers.ts'
import { gatePlans } from './plan.ts'
import { gateRowOf } from './rows/index.ts'
import { withBuilds } from './with-builds.ts'
import type { GateSize } from './plan.ts'
import type { GateReport } from './report.ts'
import type { Progress } from '../tools/progress.ts'

export interface GateOptions {
  readonly size: GateSize
  /**
   * Which rows are compared
   */
  readonly rows: readonly string[]
  /**
   * Whether dagfs is held against others
   */
  readonly peers: boolean
  /**
   * Contenders whose absence is no fault
   */
  readonly optional: readonly string[]
  readonly seed: string
}

/**
 * Compares this checkout with the baseline on this machine, and dagfs with others.
 */
export async function runGate (options: GateOptions, progress: Progress, signal: AbortSignal): Promise<GateReport> {
  const { size, seed, peers, optional } = options
  const plan = gatePlans[size]
  const baseline = await readBaseline(repositoryRoot)
  const { machine, rows } = await withBuilds(repositoryRoot, baseline.commit, progress, signal, async prepared => ({
    machine: await describeMachine(prepared.directory),
    rows: await compareBuilds(options.rows.map(key => gateRowOf(key).key), {
      ...prepared,
      plan,
      known: baseline.rows,
      random: new SeededRandom(seed),
      slowdowns: {},
      progress,
      signal
    })
  }))
  const { ratios, faults } = peers ? await comparePeers(size, optional, progress, signal) : { ratios: [], faults: [] }

  return {
    schema: 1,
    machine,
    size,
    plan,
    baseline,
    seed,
    rows,
    peers: ratios,
    faults: [...faultsOf({ plan, baseline, rows, peers: ratios }), ...faults]
  }
}
