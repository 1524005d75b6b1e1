import type { Baseline } from './baseline.ts'
import type { GateRowResult } from './compare-builds.ts'
import type { PeerRatio } from './peers.ts'
import type { GatePlan, GateSize } from './plan.ts'
import type { Machine } from '../harness/machine.ts'

/**
 * What `--json` writes
 */
export interface GateReport {
  readonly schema: 1
  readonly machine: Machine
  readonly size: GateSize
  readonly plan: GatePlan
  readonly baseline: Baseline
  /**
   * What orders were drawn from
   */
  readonly seed: string
  readonly rows: readonly GateRowResult[]
  readonly peers: readonly PeerRatio[]
  /**
   * Why the checkout may not land; nothing where it may
   */
  readonly faults: readonly string[]
}
