import { describeError } from '../../harness/describe-error.ts'
import { checkStored } from './check-stored.ts'
import { cannotCarry } from './cid-equality.ts'
import { measurePhase } from './measure-phase.ts'
import { emptyRow } from './row.ts'
import type { LeftOut } from './cid-equality.ts'
import type { AgreementSubject } from './kubo-agreement.ts'
import type { Candidate } from './measure-phase.ts'
import type { Row, Subject } from './row.ts'
import type { Contender, ToolName } from '../../contenders/index.ts'
import type { CorpusDescription } from '../../corpora/corpus.ts'
import type { ProcessContext } from '../../harness/contender-process.ts'
import type { Phase } from '../../harness/measure.ts'
import type { Enough } from '../../harness/rounds.ts'
import type { FoundTool } from '../../tools/find-tools.ts'
import type { Progress } from '../../tools/progress.ts'

const BOTH: readonly Phase[] = ['cold', 'warm']

export interface CorpusContext extends ProcessContext {
  readonly contenders: readonly Contender[]
  readonly found: ReadonlyMap<ToolName, FoundTool>
  readonly options: Enough
  /**
   * Both, where nothing is said
   */
  readonly phases?: readonly Phase[]
  readonly progress: Progress
}

export interface CorpusRun {
  readonly rows: readonly Row[]
  readonly leftOut: readonly LeftOut[]
  /**
   * What each contender was told, by its key
   */
  readonly contenderOptions: Readonly<Record<string, unknown>>
  /**
   * Our DAG, to be held against Kubo
   */
  readonly agreementSubject: AgreementSubject | undefined
}

/**
 * First has every contender store the corpus and verifies it, then times those
 * that stored it rightly, cold and warm.
 */
export async function runCorpus (corpus: CorpusDescription, context: CorpusContext): Promise<CorpusRun> {
  const rows: Row[] = []
  const leftOut: LeftOut[] = []
  const candidates: Candidate[] = []
  const { phases = BOTH } = context

  for (const contender of context.contenders) {
    const subject: Subject = { contender: contender.key, cidGroup: contender.cidGroup, corpus }
    const reasonAgainst = contender.cannotCarry?.(corpus)
    const incomparable = contender.incomparable?.(corpus)

    for (const reason of [reasonAgainst, incomparable].filter(text => text != null)) {
      leftOut.push({ corpus: corpus.name, contender: contender.key, reason })
    }

    const missing = reasonAgainst ?? missingTool(contender, context.found)

    if (missing != null) {
      rows.push(...phases.map(phase => emptyRow(subject, phase, 'unavailable', missing)))
      continue
    }

    context.progress(`${corpus.name}: ${contender.key}, verifying what it stores`)

    try {
      const checked = await checkStored(contender.key, corpus.directory, context)
      const note = incomparable == null ? undefined : `left out of the equality: ${incomparable}`

      candidates.push({ subject, onDisk: contender.onDisk, checked, note })
    } catch (err) {
      context.signal.throwIfAborted()
      rows.push(...phases.map(phase => emptyRow(subject, phase, 'failed', describeError(err))))
    }
  }

  for (const phase of phases) {
    // what the phase before has is kept
    if (context.signal.aborted) {
      break
    }

    rows.push(...await measurePhase(candidates, {
      ...context,
      phase,
      corpusDirectory: corpus.directory,
      progress: line => { context.progress(`${corpus.name}, ${phase}: ${line}`) }
    }))
  }

  return {
    rows: inOrder(rows, context.contenders),
    leftOut,
    contenderOptions: Object.fromEntries(candidates.map(({ subject, checked }) => [subject.contender, checked.identity.options])),
    agreementSubject: agreementSubject(corpus, candidates)
  }
}

/**
 * Whether nobody was unavailable in a run that was kept who could run by now. Tools
 * are looked for where that depends on them alone, since one may have to be built.
 */
export async function lacksNothing ({ rows, leftOut }: Pick<CorpusRun, 'rows' | 'leftOut'>, contenders: readonly Contender[], find: () => Promise<CorpusContext['found']>): Promise<boolean> {
  const lacking = rows.filter(row => row.status === 'unavailable' && !cannotCarry(row, leftOut)).map(({ contender }) => contender)

  if (lacking.length === 0) {
    return true
  }

  const found = await find()

  return !contenders.some(contender => lacking.includes(contender.key) && missingTool(contender, found) == null)
}

function missingTool ({ tool }: Contender, found: ReadonlyMap<ToolName, FoundTool>): string | undefined {
  const answer = tool == null ? undefined : found.get(tool)

  return answer != null && 'missing' in answer ? answer.missing : undefined
}

/**
 * All of dagfs' contenders have to give one root, so that one CAR is enough
 */
function agreementSubject (corpus: CorpusDescription, candidates: readonly Candidate[]): AgreementSubject | undefined {
  for (const { checked } of candidates) {
    if (checked.car != null && checked.cid != null) {
      return { corpus: corpus.name, root: checked.cid, car: checked.car }
    }
  }

  return undefined
}

function inOrder (rows: readonly Row[], contenders: readonly Contender[]): Row[] {
  return contenders.flatMap(({ key }) => rows.filter(row => row.contender === key))
}
