import { Bench } from 'tinybench'

interface TimeRunOptions {
  /**
   * Whether garbage is collected before. A collection that is asked for throws
   * compiled code away too, after which what takes some milliseconds took up to ten times
   * as long; what takes seconds starts with less of others' garbage. Default: false
   */
  readonly collect?: boolean
}

/**
 * Times one run of something, and returns the milliseconds and its result.
 */
export async function timeRun <T> (run: () => Promise<T>, { collect = false }: TimeRunOptions = {}): Promise<{ ms: number, result: T }> {
  const results: T[] = []
  const bench = new Bench({ iterations: 1, time: 0, warmup: false, retainSamples: true, throws: true })

  bench.add('run', async () => {
    results.push(await run())
  }, {
    async: true,
    // what was measured before is not this run's work
    beforeEach: () => { collect && globalThis.gc?.() }
  })

  const [{ result }] = await bench.run()

  if (result.state !== 'completed' || result.latency.samples?.length !== 1 || results.length !== 1) {
    throw new Error(`one run was to be timed, and ${results.length} ran (${result.state})`)
  }

  return { ms: result.latency.samples[0], result: results[0] }
}
