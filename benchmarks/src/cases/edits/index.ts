import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { measureWorkloads } from './measure-workloads.ts'
import { judgeTargets } from './targets.ts'
import { workloadOf } from './workloads/index.ts'
import type { WorkloadRun } from './measure-workloads.ts'
import type { EditsOptions } from './options.ts'
import type { EditsReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'

export { defaults, readOptions } from './options.ts'
export type { EditsOptions, Flags } from './options.ts'
export type { EditRow, EditsReport } from './report.ts'

/**
 * Times edits and reads of trees, one group of workloads after the other, and
 * holds the figures against the project's targets.
 */
export async function runEdits (options: EditsOptions, context: RunContext): Promise<EditsReport> {
  const { signal } = context
  const groups = Object.entries(Object.groupBy(options.workloads.map(workloadOf), ({ group }) => group))
  const { results, interrupted } = await runParts<WorkloadRun>(groups.map(([group, workloads = []]) => ({
    key: group,
    measure: async progress => measureWorkloads(workloads, { options, progress, signal })
  })), context)
  const rows = results.flatMap(run => run.rows)

  return {
    schema: 1,
    case: 'edits',
    // every store is in memory; what the machine's temporary directory is on is
    // told as it is everywhere
    machine: await withTemporaryDirectory(describeMachine),
    options: { ...options, told: Object.assign({}, ...results.map(({ told }) => told)) },
    rows,
    targets: judgeTargets(rows, options),
    ...interrupted == null ? {} : { interrupted }
  }
}
