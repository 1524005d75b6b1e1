import type { TimedSample } from '../../../harness/rounds.ts'
import type { EditorKey, OpenEditor } from '../editors/index.ts'
import type { EditSizes } from '../sizes.ts'

/**
 * One kind of work, which the contenders are timed with side by side
 */
export interface Workload {
  readonly key: string
  readonly contenders: readonly EditorKey[]
  /**
   * Those of one group are timed in turn, since their times are compared
   */
  readonly group: string

  /**
   * What one round does, for a table
   */
  describe(sizes: EditSizes): string

  /**
   * How many operations one round is made of
   */
  operations(sizes: EditSizes): number

  /**
   * Makes ready what every round begins with
   */
  open(editor: OpenEditor, sizes: EditSizes): Promise<OpenWorkload>
}

export interface OpenWorkload {
  round(): Promise<EditSample>

  /**
   * Reads back what the last round left, or gave, and throws where it is not
   * what it has to be
   */
  verify(): Promise<void>

  /**
   * Whether every round is verified, and not the first one alone: where a round
   * gives what its CID does not tell of
   */
  readonly verifiesEvery: boolean
}

export interface EditSample extends TimedSample {
  readonly cid: string
  /**
   * What was asked of the store meanwhile, where it was counted
   */
  readonly counted?: Counted
}

export interface Counted {
  readonly blocksRead: number
  readonly blocksPut: number
  /**
   * Of those that were put, the pieces of files; the others are nodes
   */
  readonly leavesPut: number
  readonly bytesPut: number
}
