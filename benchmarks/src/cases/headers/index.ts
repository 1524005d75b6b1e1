import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { compareRows } from './compare.ts'
import { measureOperation } from './measure-operations.ts'
import { operationOf } from './operations/index.ts'
import { published } from './published.ts'
import { wnfsGoRows } from './wnfs-go.ts'
import type { OperationRun } from './measure-operations.ts'
import type { HeadersOptions } from './options.ts'
import type { HeadersReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'

export type { HeadersReport, HeadersRow } from './report.ts'

/**
 * How long a part takes is half in its processes and half in the bytes that it
 * moves, about, at this size of a file
 */
const EVEN_BYTES = 2 ** 21

/**
 * Times the document's five operations in every layout, and answers what it asked.
 */
export async function runHeaders (options: HeadersOptions, context: RunContext): Promise<HeadersReport> {
  const { signal } = context
  const works = options.stores.flatMap(store => options.sizes.flatMap(fileBytes => options.operations.map(operation => ({ store, fileBytes, operation }))))

  return withTemporaryDirectory(async directory => {
    const { results, interrupted } = await runParts<OperationRun>(works.map(work => ({
      key: `${work.operation}, ${work.fileBytes} bytes, ${work.store}`,
      weight: 1 + work.fileBytes * operationOf(work.operation).files / EVEN_BYTES,
      measure: async progress => measureOperation(work, { options, directory, progress, signal })
    })), context)
    const rows = results.flatMap(run => run.rows)

    return {
      schema: 1,
      case: 'headers',
      machine: await describeMachine(directory),
      options: { ...options, told: Object.assign({}, ...results.map(({ told }) => told)) },
      rows: [...rows, ...await wnfsGoRows(options)],
      comparisons: compareRows(rows),
      published,
      ...interrupted == null ? {} : { interrupted }
    }
  })
}
