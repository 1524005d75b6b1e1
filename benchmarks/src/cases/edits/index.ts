import { describeMachine } from '../../harness/machine.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { measureWorkloads } from './measure-workloads.ts'
import { judgeTargets } from './targets.ts'
import { workloadOf } from './workloads/index.ts'
import type { EditsOptions } from './options.ts'
import type { EditRow, EditsReport } from './report.ts'
import type { Progress } from '../../tools/progress.ts'

export { defaults, readOptions } from './options.ts'
export { printEdits } from './print.ts'
export { editsSection } from './readme-section.ts'
export type { EditsOptions, Flags } from './options.ts'
export type { EditRow, EditsReport } from './report.ts'

/**
 * Times edits and reads of trees, one group of workloads after the other, and
 * holds the figures against the project's targets.
 */
export async function runEdits (options: EditsOptions, progress: Progress, signal: AbortSignal): Promise<EditsReport> {
  const rows: EditRow[] = []
  const told = {}

  for (const workloads of Object.values(Object.groupBy(options.workloads.map(workloadOf), ({ group }) => group))) {
    const run = await measureWorkloads(workloads ?? [], { options, progress, signal })

    rows.push(...run.rows)
    Object.assign(told, run.told)
  }

  return {
    schema: 1,
    // every store is in memory; what the machine's temporary directory is on is
    // told as it is everywhere
    machine: await withTemporaryDirectory(describeMachine),
    options: { ...options, told },
    rows,
    targets: judgeTargets(rows, options)
  }
}
