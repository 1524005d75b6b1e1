import type { Tree } from '../../../trees/tree.ts'

/**
 * What a tree can be edited with. The parent process reads the facts, a child
 * process opens it.
 */
export interface Editor {
  readonly key: EditorKey
  /**
   * What runs and where it stores, for those who know its key alone
   */
  readonly what: string
  /**
   * What its CIDs may be compared with
   */
  readonly cidGroup: string
  open(): Promise<OpenEditor>
}

export type EditorKey = 'dagfs-mem' | 'helia-mfs' | 'wnfs'

export interface OpenEditor {
  /**
   * As the running thing itself reports it
   */
  readonly version: string
  readonly options: Readonly<Record<string, unknown>>

  /**
   * Makes an empty tree over an empty store
   */
  create(): Promise<Tree>
}
