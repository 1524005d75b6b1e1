import { sayMachine } from '../harness/machine.ts'
import { figure, markdownTable } from '../harness/markdown.ts'
import { leastRatio } from './judge.ts'
import type { GateRowResult } from './compare-builds.ts'
import type { Measure } from './judge.ts'
import type { PeerRatio } from './peers.ts'
import type { GateReport } from './report.ts'

/**
 * Lays the report out: two tables, what has to be known of rows, and the verdict.
 */
export function printGate ({ machine, baseline, size, plan, seed, rows, peers, faults }: GateReport): string {
  const unclear = rows.filter(({ status }) => status === 'unclear').map(({ row, reason }) => `unclear: ${row} looks slower, and ${reason ?? 'the machine was too unsteady to say so'}; run it again, or npm run gate without --size ci`)
  const fresh = rows.filter(({ status }) => status === 'new').map(({ row, reason }) => `new: ${row} is not compared (${reason})`)

  return [
    sayMachine(machine),
    `This checkout, held against ${baseline.commit.slice(0, 12)} (${baseline.reason}); size ${size}, seed ${seed}`,
    markdownTable<GateRowResult>([
      { title: 'Row', align: 'left', cell: ({ row }) => row },
      { title: 'processor ms', cell: ({ ms }) => ms == null ? '' : figure(ms.cpu, 1) },
      { title: 'to the baseline', cell: result => ratio(result, 'cpu') },
      { title: 'clock ms', cell: ({ ms }) => ms == null ? '' : figure(ms.wall, 1) },
      { title: 'to the baseline', cell: result => ratio(result, 'wall') },
      { title: 'processes', cell: ({ pairs }) => `2 x ${pairs}` },
      { title: 'result', align: 'left', cell: ({ status }) => status }
    ], rows),
    peers.length === 0
      ? ''
      : markdownTable<PeerRatio>([
        { title: 'Times as fast', align: 'left', cell: ({ ours, peer }) => `${ours} as ${peer}` },
        { title: 'corpus', align: 'left', cell: ({ corpus, phase }) => `${corpus}, ${phase}` },
        { title: 'now', cell: ({ measured, reason }) => measured == null ? reason ?? '' : figure(measured, 2) },
        { title: 'published', cell: ({ published }) => published == null ? '' : figure(published, 2) },
        { title: 'result', align: 'left', cell: ({ kept }) => kept ? 'kept' : 'broken' }
      ], peers),
    [...fresh, ...unclear].join('\n'),
    faults.length === 0
      ? `The gate is open: no row is slower for sure and by more than ${figure(100 * (leastRatio(plan.found) - 1), 1)} % (this size is made to find ${figure(100 * plan.found)} %), and every CID is the same.`
      : ['The gate is closed:', ...faults.map(fault => `- ${fault}`)].join('\n')
  ].filter(part => part !== '').join('\n\n')
}

function ratio ({ compared }: GateRowResult, measure: Measure): string {
  const one = compared.find(candidate => candidate.measure === measure)

  return one == null ? '' : figure(one.ratio, 3)
}
