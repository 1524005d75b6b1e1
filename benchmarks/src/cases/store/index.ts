import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { measureStores } from './measure-stores.ts'
import { judgeTargets } from './targets.ts'
import type { StoresMeasured } from './measure-stores.ts'
import type { StoreOptions } from './options.ts'
import type { StoreReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'

export { readOptions } from './options.ts'
export type { StoreOptions } from './options.ts'
export type { StoreReport, StoreRow } from './report.ts'

/**
 * Fills stores with small blocks, gets some of them at random, opens and scans
 * what was filled, and holds the figures against the project's targets.
 */
export async function runStore (options: StoreOptions, context: RunContext): Promise<StoreReport> {
  const { signal } = context

  return withTemporaryDirectory(async directory => {
    // what is timed is what was filled before, and gone when the run ends: it is one part
    const { results, interrupted } = await runParts<StoresMeasured>([{
      key: 'stores',
      measure: async progress => measureStores(directory, { options, progress, signal })
    }], context)
    const rows = results.flatMap(measured => measured.rows)

    return {
      schema: 1,
      case: 'store',
      machine: await describeMachine(directory),
      options: { ...options, told: Object.assign({}, ...results.map(({ told }) => told)) },
      rows,
      targets: judgeTargets(rows, options),
      ...interrupted == null ? {} : { interrupted }
    }
  })
}
