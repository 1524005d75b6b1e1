/**
 * What the process of one build is told
 */
export interface GateWorkerInit {
  /**
   * The build's directory: its package.json, dist and node_modules
   */
  readonly build: string
  /**
   * An existing, empty directory of its own
   */
  readonly directory: string
  readonly corpora: Readonly<Record<string, string>>
}

/**
 * Times of runs, in milliseconds, in the order of the runs
 */
export interface Times {
  readonly wall: readonly number[]
  /**
   * Of all threads of the process
   */
  readonly cpu: readonly number[]
}

/**
 * What the process of one build does for its parent
 */
export interface GateWorkerFunctions {
  open(init: GateWorkerInit): Promise<void>
  /**
   * Opens a row, closing the one before, on these cores, or where the system likes
   * if there are none; answers what each of its runs has to give
   */
  start(row: string, cores: readonly number[]): Promise<string>
  /**
   * Runs the row until it took as much of the processor's time, at least once;
   * after each run it keeps the processor busy for this share of the run's own time
   */
  run(ms: number, slowdown: number): Promise<Times>
}
