import pMap from 'p-map'
import { startContender } from '../../harness/contender-process.ts'
import { describeError } from '../../harness/describe-error.ts'
import { rawTimes } from '../../harness/raw-times.ts'
import { roundsUntilInterrupted } from '../../harness/rounds.ts'
import { statisticsOf } from '../../harness/statistics.ts'
import { stopAll } from '../../harness/stopping.ts'
import { emptyRow } from './row.ts'
import type { Checked } from './check-stored.ts'
import type { Row, Subject } from './row.ts'
import type { PeakMemory } from '../../contenders/index.ts'
import type { ContenderProcess, ProcessContext } from '../../harness/contender-process.ts'
import type { Phase, Sample } from '../../harness/measure.ts'
import type { Enough, Outcome, Runner } from '../../harness/rounds.ts'
import type { Progress } from '../../tools/progress.ts'

/**
 * Starting is not timed, so as many processes start at once as help
 */
const STARTED_AT_ONCE = 2

/**
 * A contender that stored a corpus rightly, and may be timed with it
 */
export interface Candidate {
  readonly subject: Subject
  readonly onDisk: boolean
  readonly checked: Checked
  readonly note: string | undefined
}

export interface PhaseContext extends ProcessContext {
  readonly phase: Phase
  readonly corpusDirectory: string
  readonly options: Enough
  readonly progress: Progress
}

/**
 * Times one phase of one corpus for all contenders, each in a process of its
 * own that is there for this phase alone, so that its peak memory is too.
 */
export async function measurePhase (candidates: readonly Candidate[], context: PhaseContext): Promise<Row[]> {
  const rows = new Map<string, Row>()
  const started: Array<{ candidate: Candidate, process: ContenderProcess }> = []

  const fail = ({ subject, checked }: Candidate, err: unknown): void => {
    // what an interrupt breaks off did not fail
    if (context.signal.aborted) {
      return
    }

    // that it could not be stopped after it had failed says less than how
    if (rows.get(subject.contender)?.status === 'failed') {
      return
    }

    rows.set(subject.contender, emptyRow(subject, context.phase, 'failed', describeError(err), checked.identity.version))
  }

  try {
    await pMap(candidates, async candidate => {
      try {
        const process = await startContender(candidate.subject.contender, context)

        started.push({ candidate, process })
      } catch (err) {
        fail(candidate, err)
      }
    }, { concurrency: STARTED_AT_ONCE, stopOnError: false })

    const filled = await fillWarm(started, context, fail)
    const firstPeaks = new Map<string, PeakMemory>()
    // pMap finishes in any order, the rounds go in the given one
    const runners = candidates.flatMap(candidate => runnersOf(candidate, filled, firstPeaks, context))
    const outcomes = await roundsUntilInterrupted(runners, context)

    for (const { candidate, process } of filled) {
      const outcome = outcomes.get(process.key)

      if (outcome == null || 'failure' in outcome) {
        fail(candidate, outcome?.failure)
      } else {
        rows.set(process.key, measuredRow(candidate, process, outcome, context.phase, [firstPeaks.get(process.key), await peakMemory(process, context.signal)]))
      }
    }
  } finally {
    for (const [candidate, failure] of await stopAll(started.map(({ candidate, process }) => [candidate, process]))) {
      fail(candidate, failure)
    }
  }

  return candidates.flatMap(({ subject }) => rows.get(subject.contender) ?? [])
}

async function peakMemory ({ functions }: ContenderProcess, { aborted }: AbortSignal): Promise<PeakMemory> {
  // nobody answers any more then
  return aborted ? { unknown: 'interrupted' } : functions.peakMemory()
}

type Started = ReadonlyArray<{ readonly candidate: Candidate, readonly process: ContenderProcess }>

/**
 * A warm store holds the corpus before the first round.
 */
async function fillWarm (started: Started, { phase, corpusDirectory, progress }: PhaseContext, fail: (candidate: Candidate, err: unknown) => void): Promise<Started> {
  if (phase === 'cold') {
    return started
  }

  const filled = []

  for (const { candidate, process } of started) {
    progress(`${process.key}, filling its store`)

    try {
      await process.functions.fill(corpusDirectory)
      filled.push({ candidate, process })
    } catch (err) {
      fail(candidate, err)
    }
  }

  return filled
}

function runnersOf (candidate: Candidate, started: Started, firstPeaks: Map<string, PeakMemory>, { corpusDirectory, phase, signal }: PhaseContext): Array<Runner<Sample>> {
  return started
    .filter(entry => entry.candidate === candidate)
    .map(({ process }) => ({
      key: process.key,
      onDisk: candidate.onDisk,
      cid: candidate.checked.cid,
      async round () {
        const sample = await process.functions.round(corpusDirectory, phase)

        if (!firstPeaks.has(process.key)) {
          firstPeaks.set(process.key, await peakMemory(process, signal))
        }

        return sample
      },
      stop: async () => process.stop()
    }))
}

function measuredRow ({ subject, checked, note }: Candidate, process: ContenderProcess, { samples }: Extract<Outcome<Sample>, { samples: unknown }>, phase: Phase, [first, memory]: readonly [PeakMemory | undefined, PeakMemory]): Row {
  const { contender, cidGroup, corpus } = subject
  const times = rawTimes(samples)
  const notes = [note, 'unknown' in memory ? `no maxRssBytes: ${memory.unknown}` : undefined].filter(text => text != null)

  return {
    case: 'add-dir',
    contender,
    version: process.identity.version,
    corpus: corpus.name,
    files: corpus.files,
    bytes: corpus.bytes,
    phase,
    firstRssBytes: first != null && 'bytes' in first ? first.bytes : null,
    durable: samples.every(({ durable }) => durable),
    ...times,
    ...statisticsOf(times.rawMs),
    maxRssBytes: 'bytes' in memory ? memory.bytes : null,
    cid: checked.cid,
    cidGroup,
    status: 'ok',
    reason: notes.length === 0 ? null : notes.join('; ')
  }
}
