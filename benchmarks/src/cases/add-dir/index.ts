import createDebug from 'debug'
import { contenderOf } from '../../contenders/index.ts'
import { describeError } from '../../harness/describe-error.ts'
import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { availableTools, findTools } from '../../tools/find-tools.ts'
import { compareCids } from './cid-equality.ts'
import { agreeWithKubo } from './kubo-agreement.ts'
import { makeCorpora } from './make-corpora.ts'
import { lacksNothing, runCorpus } from './run-corpus.ts'
import type { AgreementSubject, KuboAgreement } from './kubo-agreement.ts'
import type { AddDirOptions } from './options.ts'
import type { Report } from './report.ts'
import type { CorpusRun } from './run-corpus.ts'
import type { Tools } from '../../contenders/index.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { Progress } from '../../tools/progress.ts'

export type { AddDirOptions } from './options.ts'
export type { Report } from './report.ts'

const debug = createDebug('bench:add-dir')

/**
 * What is measured of a corpus, whole or not at all
 */
interface MeasuredCorpus extends Omit<CorpusRun, 'agreementSubject'> {
  readonly agreement: Agreement
  /**
   * What was found of what the contenders need, and how
   */
  readonly tools: Readonly<Record<string, object>>
}

interface Agreement {
  readonly reached: readonly KuboAgreement[]
  readonly fault?: string
}

/**
 * Takes every corpus in with every contender, cold and warm, and compares what
 * they made of it.
 */
export async function runAddDir (options: AddDirOptions, context: RunContext): Promise<Report> {
  const { progress, signal } = context
  const contenders = options.contenders.map(contenderOf)

  return withTemporaryDirectory(async directory => {
    progress('making the corpora ready')

    const corpora = await makeCorpora(options, directory)
    let finding: ReturnType<typeof findTools> | undefined
    // by who needs them first: an interrupt meanwhile leaves what is measured already
    const find = async (): ReturnType<typeof findTools> => {
      finding ??= findTools(contenders.flatMap(({ tool }) => tool ?? []), progress, signal)

      return finding
    }

    debug('corpora %o', corpora)

    const { results, interrupted } = await runParts<MeasuredCorpus>(corpora.map(corpus => ({
      key: corpus.name,
      // what a corpus costs goes with its files, and every one of them is also started for
      weight: corpus.files + 200,
      async measure (tell) {
        const found = await find()
        const tools = availableTools(found)

        debug('tools %o', found)

        const { agreementSubject, ...run } = await runCorpus(corpus, { contenders, found, options, progress: tell, directory, tools, signal, timeoutMs: options.timeoutMs })

        return {
          ...run,
          agreement: await reachAgreement(agreementSubject, tools, directory, tell, signal),
          // where things lie on this machine is nobody's business
          tools: Object.fromEntries([...found].map(([name, tool]) => [name, { ...tool, path: undefined }]))
        }
      },
      stands: async kept => kept.agreement.fault == null && lacksNothing(kept, contenders, find)
    })), context)
    const rows = results.flatMap(run => run.rows)
    const leftOut = results.flatMap(run => run.leftOut)
    const faults = results.flatMap(({ agreement }) => agreement.fault ?? [])

    return {
      schema: 1,
      case: 'add-dir',
      machine: await describeMachine(directory),
      options: {
        ...options,
        corpora: corpora.map(corpus => ({ ...corpus, directory: undefined })),
        tools: Object.assign({}, ...results.map(run => run.tools)),
        contenders: Object.assign({}, ...results.map(run => run.contenderOptions)),
        leftOut
      },
      rows,
      cidEquality: compareCids(rows, leftOut),
      kuboAgreement: results.flatMap(({ agreement }) => agreement.reached),
      ...faults.length === 0 ? {} : { agreementFault: faults.join('; ') },
      ...interrupted == null ? {} : { interrupted }
    }
  })
}

/**
 * Where Kubo is measured, our DAG is held against it too.
 */
async function reachAgreement (subject: AgreementSubject | undefined, tools: Tools, directory: string, progress: Progress, signal: AbortSignal): Promise<Agreement> {
  if (tools.kubo == null || subject == null || signal.aborted) {
    return { reached: [] }
  }

  progress('Kubo, counting and encoding our blocks')

  try {
    return { reached: [await agreeWithKubo(subject, tools.kubo, directory, signal)] }
  } catch (err) {
    return { reached: [], fault: `${subject.corpus}: ${describeError(err)}` }
  }
}
