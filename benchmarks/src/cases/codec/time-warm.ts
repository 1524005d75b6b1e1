import { Bench } from 'tinybench'

/**
 * What goes before every sample, untimed
 */
const WARM_UP = { warmupIterations: 5, warmupTime: 20 }

/**
 * Times one run of something short, after some that are not timed. Nothing is
 * collected before it: a forced collection throws compiled code away too, which
 * made a library up to seven times slower.
 */
export async function timeWarm (run: () => void): Promise<number> {
  const bench = new Bench({ iterations: 1, time: 0, ...WARM_UP, retainSamples: true, throws: true })

  bench.add('run', run)

  const [{ result }] = await bench.run()

  if (result.state !== 'completed' || result.latency.samples?.length !== 1) {
    throw new Error(`one run was to be timed, and none was (${result.state})`)
  }

  return result.latency.samples[0]
}
