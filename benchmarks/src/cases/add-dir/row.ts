import { unmeasured } from '../../harness/figures.ts'
import type { CidGroup } from '../../contenders/index.ts'
import type { CorpusDescription } from '../../corpora/corpus.ts'
import type { Figures } from '../../harness/figures.ts'
import type { Phase } from '../../harness/measure.ts'

/**
 * One contender, corpus and phase. The shape is that of the JSON report; what
 * was not measured is null.
 */
export interface Row extends Figures {
  readonly case: 'add-dir'
  readonly contender: string
  /**
   * As the running thing itself reported it
   */
  readonly version: string | null
  readonly corpus: string
  readonly files: number
  readonly bytes: number
  readonly phase: Phase
  /**
   * The most memory that the process had held when its first round was over;
   * maxRssBytes is that after the last one
   */
  readonly firstRssBytes: number | null
  readonly cidGroup: CidGroup
  readonly status: 'ok' | 'unavailable' | 'failed'
  /**
   * Why a contender did not run, or failed; or what has to be known of a row
   * that is ok
   */
  readonly reason: string | null
}

export interface Subject {
  readonly contender: string
  readonly cidGroup: CidGroup
  readonly corpus: CorpusDescription
}

/**
 * A row of what was not measured.
 */
export function emptyRow ({ contender, cidGroup, corpus }: Subject, phase: Phase, status: 'unavailable' | 'failed', reason: string, version: string | null = null): Row {
  return {
    case: 'add-dir',
    contender,
    version,
    corpus: corpus.name,
    files: corpus.files,
    bytes: corpus.bytes,
    phase,
    firstRssBytes: null,
    ...unmeasured,
    cidGroup,
    status,
    reason
  }
}
