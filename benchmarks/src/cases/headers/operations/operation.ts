import type { Tree } from '../../../trees/tree.ts'

/**
 * One of the document's five operations. All of them begin with a tree that is
 * stored and opened by its root; opening it is a part of them.
 */
export interface Operation {
  readonly key: string
  /**
   * What the document calls it
   */
  readonly benchmark: string
  readonly describe: string
  /**
   * Files that it reads or writes
   */
  readonly files: number
  /**
   * Whether it leaves its tree as it was, so that the next one can begin with
   * the same
   */
  readonly readsOnly: boolean

  /**
   * Writes what is there before
   */
  prepare(tree: Tree, fileBytes: number): Promise<void>

  /**
   * Makes what one run gets: bytes that no run before it has touched
   */
  source(fileBytes: number): Source

  /**
   * The part that is timed. Answers what was read, or the CID that was committed
   */
  run(tree: Tree, source: Source): Promise<Uint8Array | string>

  /**
   * Holds what a run read, or left in the tree, against what it has to be, and
   * throws where it is not
   */
  verify(tree: Tree, result: Uint8Array | string, fileBytes: number): Promise<void>
}

export type Source = ReadonlyArray<import('../../../trees/tree.ts').SourceFile>
