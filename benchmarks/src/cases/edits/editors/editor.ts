/**
 * What a tree can be edited with. The parent process reads the facts, a child
 * process opens it.
 */
export interface Editor {
  readonly key: EditorKey
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
  create(): Promise<EditedTree>
}

/**
 * A tree and the store that it is in. Paths are absolute.
 */
export interface EditedTree {
  write(path: string, bytes: Uint8Array): Promise<void>

  /**
   * Stores what was written, and answers its CID
   */
  commit(): Promise<string>

  /**
   * Opens what is stored, with nothing of it in memory but the store
   */
  reopen(): Promise<StoredTree>
}

export interface StoredTree {
  read(path: string): Promise<Uint8Array>

  /**
   * The names in a directory, in any order
   */
  names(path: string): Promise<string[]>
}
