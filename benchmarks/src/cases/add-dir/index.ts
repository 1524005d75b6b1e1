import createDebug from 'debug'
import { contenderOf } from '../../contenders/index.ts'
import { describeError } from '../../harness/describe-error.ts'
import { describeMachine } from '../../harness/machine.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { findTools } from '../../tools/find-tools.ts'
import { compareCids } from './cid-equality.ts'
import { agreeWithKubo } from './kubo-agreement.ts'
import { makeCorpora } from './make-corpora.ts'
import { runCorpus } from './run-corpus.ts'
import { judge } from './verdict.ts'
import type { KuboAgreement } from './kubo-agreement.ts'
import type { AddDirOptions } from './options.ts'
import type { Report } from './report.ts'
import type { CorpusRun } from './run-corpus.ts'
import type { Verdict } from './verdict.ts'
import type { ToolName, Tools } from '../../contenders/index.ts'
import type { FoundTool } from '../../tools/find-tools.ts'
import type { Progress } from '../../tools/progress.ts'

export { printTable } from './print-table.ts'
export { readmeSection } from './readme-section.ts'
export type { AddDirOptions } from './options.ts'
export type { Report } from './report.ts'
export type { Verdict } from './verdict.ts'

const debug = createDebug('bench:add-dir')

export interface AddDirResult {
  readonly report: Report
  readonly verdict: Verdict
}

/**
 * Takes every corpus in with every contender, cold and warm, and compares what
 * they made of it.
 */
export async function runAddDir (options: AddDirOptions, progress: Progress, signal: AbortSignal): Promise<AddDirResult> {
  const contenders = options.contenders.map(contenderOf)

  return withTemporaryDirectory(async directory => {
    progress('making the corpora ready')

    const corpora = await makeCorpora(options, directory)
    const found = await findTools(contenders.flatMap(({ tool }) => tool ?? []), progress, signal)
    const tools = availableTools(found)
    const runs: CorpusRun[] = []

    debug('corpora %o, tools %o', corpora, found)

    for (const corpus of corpora) {
      runs.push(await runCorpus(corpus, { contenders, found, options, progress, directory, tools, signal, timeoutMs: options.timeoutMs }))
    }

    const agreement = await reachAgreement(runs, tools, directory, progress, signal)
    const rows = runs.flatMap(run => run.rows)
    const leftOut = runs.flatMap(run => run.leftOut)
    const report: Report = {
      schema: 1,
      machine: await describeMachine(directory),
      options: {
        ...options,
        // where things lie on this machine is nobody's business
        corpora: corpora.map(corpus => ({ ...corpus, directory: undefined })),
        tools: Object.fromEntries([...found].map(([name, tool]) => [name, { ...tool, path: undefined }])),
        contenders: Object.assign({}, ...runs.map(run => run.contenderOptions)),
        leftOut
      },
      rows,
      cidEquality: compareCids(rows, leftOut),
      kuboAgreement: agreement.reached
    }

    return { report, verdict: judge(report, { leftOut, optional: options.optional, agreementFault: agreement.fault }) }
  })
}

function availableTools (found: ReadonlyMap<ToolName, FoundTool>): Tools {
  return Object.fromEntries([...found].flatMap(([name, tool]) => 'path' in tool ? [[name, tool.path]] : []))
}

/**
 * Where Kubo is measured, our DAGs are held against it too.
 */
async function reachAgreement (runs: readonly CorpusRun[], tools: Tools, directory: string, progress: Progress, signal: AbortSignal): Promise<{ reached: readonly KuboAgreement[], fault: string | undefined }> {
  const subjects = runs.flatMap(run => run.agreementSubject ?? [])

  if (tools.kubo == null || subjects.length === 0) {
    return { reached: [], fault: undefined }
  }

  progress('Kubo, counting and encoding our blocks')

  try {
    return { reached: await agreeWithKubo(subjects, tools.kubo, directory, signal), fault: undefined }
  } catch (err) {
    signal.throwIfAborted()

    return { reached: [], fault: describeError(err) }
  }
}
