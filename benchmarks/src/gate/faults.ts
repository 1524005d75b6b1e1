import { figure } from '../harness/markdown.ts'
import { BASELINE_FILE } from './baseline.ts'
import { isSlower } from './judge.ts'
import { TOLERANCE } from './peers.ts'
import { FALSE_ALARMS } from './plan.ts'
import { gateRows } from './rows/index.ts'
import type { Baseline } from './baseline.ts'
import type { GateRowResult } from './compare-builds.ts'
import type { Compared } from './judge.ts'
import type { PeerRatio } from './peers.ts'
import type { GateReport } from './report.ts'

/**
 * Says why a checkout may not land, a line for each reason.
 */
export function faultsOf ({ plan, baseline, rows, peers }: Pick<GateReport, 'plan' | 'baseline' | 'rows' | 'peers'>): string[] {
  const known = rows.some(({ status }) => status !== 'new')

  return [
    ...rows.flatMap(row => rowFault(row, plan.found)),
    ...(known ? [] : ['the baseline runs none of the rows, so that nothing was compared']),
    ...listFaults(baseline, rows),
    ...corporaFaults(rows),
    ...peers.filter(({ kept }) => !kept).map(peerFault)
  ]
}

function rowFault ({ row, status, compared, reason }: GateRowResult, found: number): string[] {
  if (status === 'slower') {
    return compared.filter(one => isSlower(one, found)).map(one => `${row}: ${sayCompared(one)}`)
  }

  return status === 'failed' || status === 'differs' ? [`${row}: ${reason}`] : []
}

/**
 * `1.12 of the baseline's processor time, at least 1.08 with …`: an estimate, its lower limit, and what the test says, which has
 * a confidence of its own
 */
export function sayCompared ({ measure, ratio, atLeast, p }: Compared): string {
  return `${figure(ratio, 3)} of the baseline's ${measure === 'cpu' ? 'processor time' : 'time on the clock'}, at least ${figure(atLeast, 3)} with a confidence of ${figure(100 * (1 - FALSE_ALARMS), 1)} % over all rows measured again; without a difference, p = ${p.toPrecision(1)}`
}

/**
 * No row leaves without the list of those that the baseline runs being changed, and none that runs there stays out of it.
 */
function listFaults (baseline: Baseline, rows: readonly GateRowResult[]): string[] {
  const gone = baseline.rows.filter(listed => gateRows.every(({ key }) => key !== listed))
  const unlisted = rows.filter(({ row, pairs }) => pairs > 0 && !baseline.rows.includes(row))

  return [
    ...gone.map(row => `${row}: there is no such row any more, and ${BASELINE_FILE} lists it`),
    ...unlisted.map(({ row }) => `${row}: the baseline runs it, and ${BASELINE_FILE} does not list it`)
  ]
}

/**
 * All of dagfs' contenders give one root for one directory.
 */
function corporaFaults (rows: readonly GateRowResult[]): string[] {
  const roots = new Map<string, Map<string, string>>()

  for (const { row, answer } of rows) {
    const [name, corpus, contender] = row.split(' / ')

    if (name === 'add-dir' && answer != null) {
      roots.set(corpus, (roots.get(corpus) ?? new Map<string, string>()).set(contender, answer))
    }
  }

  return [...roots].filter(([, answers]) => new Set(answers.values()).size > 1).map(([corpus, answers]) => `add-dir / ${corpus}: gives different roots, ${[...answers].map(([contender, cid]) => `${contender} ${cid}`).join(', ')}`)
}

function peerFault ({ ours, peer, corpus, phase, published, measured, reason }: PeerRatio): string {
  const what = `${ours} to ${peer}, ${corpus} ${phase}`

  return measured == null || published == null
    ? `${what}: not measured (${reason})`
    : `${what}: ${figure(measured, 2)} times as fast, less than 1/${TOLERANCE} of the ${figure(published, 2)} that are published`
}
