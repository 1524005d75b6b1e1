import { agreement } from '../../models/agree.ts'
import { allCalls, plainCalls } from '../../models/arbitraries.ts'
import { dagfsAgainstNode, mapAgainstNode } from '../../models/node-pairs.ts'
import { mapAgainstDagfs, settings } from '../../models/pairs.ts'
import { independent } from '../part.ts'
import { tryProperty } from '../property-case.ts'
import type { Pair } from '../../models/agree.ts'
import type { Call } from '../../models/calls.ts'
import type { Part } from '../part.ts'

const comparisons: ReadonlyArray<readonly [open: () => Promise<Pair>, calls: readonly Call[]]> = [
  ...settings.map(([, draftBytes, layout]) => [async () => mapAgainstDagfs(draftBytes, layout), plainCalls] as const),
  [async () => dagfsAgainstNode(), allCalls],
  [async () => dagfsAgainstNode(1), allCalls],
  [mapAgainstNode, plainCalls]
]

export const models: Part = {
  claim: 'random operations have the same results on dagfs, a plain map and node:fs, and equal roots',
  isBesideNode: true,
  unit: 'operations',
  full: 1_000_000,
  daily: 1_000,
  open: independent(async given => {
    const [open, calls] = comparisons[given.number % comparisons.length]
    const tally = { operations: 0, refused: 0 }
    await tryProperty(agreement(open, calls, tally), given)

    return { units: tally.operations }
  })
}
