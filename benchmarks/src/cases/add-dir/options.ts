/**
 * What the case is run with
 */
export interface AddDirOptions {
  /**
   * The least number of samples of a row
   */
  readonly iterations: number
  /**
   * The least time that the samples of a row take together
   */
  readonly minTimeMs: number
  /**
   * Host directories to measure instead of the default corpora
   */
  readonly testPaths: readonly string[]
  readonly contenders: readonly string[]
  /**
   * Contenders whose absence does not fail the run
   */
  readonly optional: readonly string[]
  /**
   * Of the default corpora
   */
  readonly corpora: readonly string[]
  /**
   * Also measure every corpus without the files of equal content
   */
  readonly unique: boolean
  /**
   * Also measure every corpus without its symbolic links, which two contenders
   * cannot carry
   */
  readonly noLinks: boolean
  /**
   * How long one call to a contender may take
   */
  readonly timeoutMs: number
}
