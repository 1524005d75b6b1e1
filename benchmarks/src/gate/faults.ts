import { figure } from '../harness/markdown.ts'
import { TOLERANCE } from './peers.ts'
import { FALSE_ALARMS } from './plan.ts'
import type { GateRowResult } from './compare-builds.ts'
import type { Compared } from './judge.ts'
import type { PeerRatio } from './peers.ts'

/**
 * Says why a checkout may not land, a line for each reason.
 */
export function faultsOf (rows: readonly GateRowResult[], peers: readonly PeerRatio[]): string[] {
  const known = rows.some(({ status }) => status !== 'new')

  return [
    ...rows.flatMap(rowFault),
    ...(known ? [] : ['the baseline runs none of the rows, so that nothing was compared']),
    ...corporaFaults(rows),
    ...peers.filter(({ kept }) => !kept).map(peerFault)
  ]
}

function rowFault ({ row, status, compared, reason }: GateRowResult): string[] {
  if (status === 'slower') {
    return compared.filter(({ p }) => p <= FALSE_ALARMS).map(one => `${row}: ${sayCompared(one)}`)
  }

  return status === 'failed' || status === 'differs' ? [`${row}: ${reason}`] : []
}

/**
 * `1.12 of the baseline's processor time, at least 1.08 …`
 */
export function sayCompared ({ measure, ratio, atLeast, p }: Compared): string {
  return `${figure(ratio, 3)} of the baseline's ${measure === 'cpu' ? 'processor time' : 'time on the clock'}, at least ${figure(atLeast, 3)} (confidence ${figure(100 * (1 - p), 2)} % over all rows)`
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
