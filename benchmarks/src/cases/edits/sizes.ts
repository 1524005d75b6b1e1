/**
 * How large the workloads are
 */
export interface EditSizes {
  /**
   * Files that are written into one directory before a commit
   */
  readonly writes: number
  /**
   * Files that are read by path
   */
  readonly reads: number
  /**
   * Of each of these files
   */
  readonly contentBytes: number
  /**
   * The two sizes of a directory at which the time of a write is compared
   */
  readonly fewer: number
  readonly more: number
  /**
   * Of the file that gets other bytes in its middle
   */
  readonly fileBytes: number
  /**
   * Files in each of the two trees that are compared
   */
  readonly treeFiles: number
  /**
   * How many of them differ
   */
  readonly differing: number
}
