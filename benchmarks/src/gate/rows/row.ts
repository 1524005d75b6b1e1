/**
 * One thing that is compared between two builds. The parent process reads the
 * facts, a child process of each build opens it.
 */
export interface GateRow {
  /**
   * `case / corpus / contender`
   */
  readonly key: string
  /**
   * Whether several threads work for it, and need a core each
   */
  readonly isThreaded: boolean
  open(context: RowContext): Promise<OpenRow>
}

export interface RowContext {
  /**
   * An existing, empty directory of its own for all that it stores
   */
  readonly directory: string
  /**
   * The directories of the corpora, by name
   */
  readonly corpora: Readonly<Record<string, string>>
}

export interface OpenRow {
  /**
   * Makes one run ready, outside of the clock
   */
  prepare?(): Promise<void>

  /**
   * The part that is timed. Answers what has to be the same in every run, of
   * either build: a CID where there is one.
   */
  run(): Promise<string>

  close?(): Promise<void>
}
