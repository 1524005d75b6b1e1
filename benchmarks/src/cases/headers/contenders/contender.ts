import type { Tree } from '../../../trees/tree.ts'
import type { Blockstore } from 'interface-blockstore'

/**
 * A layout, and what reads and writes trees in it. The parent process reads the
 * facts, a child process opens it.
 */
export interface HeadersContender {
  readonly key: string
  /**
   * The codec of its directories, and where metadata is, for a table
   */
  readonly layout: string
  /**
   * Whether it compares the blocks that it reads with their CIDs, which a store does not
   */
  readonly verifies: boolean
  /**
   * How long the pieces are that it cuts a file into
   */
  readonly chunkBytes: number
  open(): Promise<OpenHeadersContender>
}

export interface OpenHeadersContender {
  /**
   * As the running thing itself reports it
   */
  readonly version: string
  readonly options: Readonly<Record<string, unknown>>

  /**
   * Makes an empty tree in a store
   */
  create(store: TreeStore): Promise<Tree>
}

/**
 * What all of them need of a store
 */
export type TreeStore = Pick<Blockstore, 'get' | 'put' | 'has'>
