import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { median } from 'simple-statistics'
import { contenderOf } from '../../contenders/index.ts'
import { describeCorpus } from '../../corpora/corpus.ts'
import { generateTree } from '../../corpora/generate-tree.ts'
import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { availableTools, findTools } from '../../tools/find-tools.ts'
import { compareCids } from '../add-dir/cid-equality.ts'
import { lacksNothing, runCorpus } from '../add-dir/run-corpus.ts'
import { fitExponent } from './fit-exponent.ts'
import type { GrowthOptions } from './options.ts'
import type { ContenderFit, GrowthReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { Row } from '../add-dir/row.ts'
import type { CorpusRun } from '../add-dir/run-corpus.ts'

const DEPTH = 6

type SizeRun = Omit<CorpusRun, 'agreementSubject'>

/**
 * Takes generated trees of growing size in with every contender, as the case
 * add-dir does with an empty store, and fits how the time grows with the number of files.
 */
export async function runGrowth (options: GrowthOptions, context: RunContext): Promise<GrowthReport> {
  const { progress, signal } = context
  const contenders = options.contenders.map(contenderOf)

  return withTemporaryDirectory(async directory => {
    let finding: ReturnType<typeof findTools> | undefined
    // by who needs them first: an interrupt meanwhile leaves what is measured already
    const find = async (): ReturnType<typeof findTools> => {
      finding ??= findTools(contenders.flatMap(({ tool }) => tool ?? []), progress, signal)

      return finding
    }
    const { results, interrupted } = await runParts<SizeRun>(options.files.map(files => ({
      key: `${files} files`,
      // every contender is also started and stopped
      weight: files + 3_000,
      async measure (tell) {
        const found = await find()
        const tree = join(directory, `tree-${files}`)

        tell(`making a tree of ${files} files`)

        try {
          await generateTree(tree, { files, bytes: files * options.fileBytes, depth: DEPTH, duplicates: 0, seed: `dagfs/growth/${files}` })

          const corpus = await describeCorpus({ name: `${files} files`, directory: tree })
          const { agreementSubject, ...run } = await runCorpus(corpus, { contenders, found, options, phases: ['cold'], progress: tell, directory, tools: availableTools(found), signal, timeoutMs: options.timeoutMs })

          return run
        } finally {
          await rm(tree, { recursive: true, force: true })
        }
      },
      stands: async kept => lacksNothing(kept, contenders, find)
    })), context)
    const rows = results.flatMap(run => run.rows)
    const leftOut = results.flatMap(run => run.leftOut)

    return {
      schema: 1,
      case: 'growth',
      machine: await describeMachine(directory),
      options: { ...options, told: Object.assign({}, ...results.map(run => run.contenderOptions)) },
      rows: rows.map(row => ({ ...row, case: 'growth' })),
      leftOut,
      fits: options.contenders.flatMap(contender => fitOf(contender, rows) ?? []),
      cidEquality: compareCids(rows, leftOut),
      ...interrupted == null ? {} : { interrupted }
    }
  })
}

function fitOf (contender: string, rows: readonly Row[]): ContenderFit | undefined {
  const points = rows
    .filter(row => row.contender === contender && row.status === 'ok')
    .map(({ files, rawMs }) => ({ size: files, cost: median([...rawMs]) }))

  return points.length < 2 ? undefined : { contender, ...fitExponent(points) }
}
