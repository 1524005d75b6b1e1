/**
 * A tree of files and the store that it is in. Paths are absolute.
 */
export interface Tree {
  /**
   * Makes a directory in one that is there
   */
  mkdir(path: string): Promise<void>

  /**
   * Writes a whole file into a directory that is there
   */
  write(path: string, bytes: Uint8Array, attributes?: Attributes): Promise<void>

  /**
   * Makes a directory, and in it all files with the directories above them
   */
  copyIn(path: string, files: Iterable<SourceFile>): Promise<void>

  /**
   * Stores what was written, and answers its CID
   */
  commit(): Promise<string>

  /**
   * Opens what was committed, with nothing of it in memory but the store
   */
  reopen(): Promise<Tree>

  read(path: string): Promise<Uint8Array>

  /**
   * The names in a directory, in any order
   */
  names(path: string): Promise<string[]>
}

/**
 * What is recorded of a file beside its bytes
 */
export interface Attributes {
  readonly mode: number
  readonly mtime: Date
}

export interface SourceFile {
  /**
   * From the directory that it is copied into, without a slash at the beginning
   */
  readonly path: string
  readonly bytes: Uint8Array
  readonly attributes: Attributes
}

/**
 * The names that a path is made of
 */
export function segments (path: string): string[] {
  return path.split('/').filter(segment => segment !== '')
}

/**
 * The CID of a tree that has to be committed by now
 */
export function committedRoot <T> (root: T | undefined): T {
  if (root == null) {
    throw new Error('nothing was committed')
  }

  return root
}
