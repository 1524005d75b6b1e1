import { Bench } from 'tinybench'
import type { OpenContender } from '../contenders/index.ts'

export type Phase = 'cold' | 'warm'

export interface Sample {
  readonly ms: number
  readonly cid: string | null
  readonly durable: boolean
}

/**
 * Times one add. Before a cold one the store is emptied, outside of the clock,
 * and nothing warms the code up with the same data. No collection of garbage is
 * forced either, as in `timeRun`.
 */
export async function measure (contender: OpenContender, directory: string, phase: Phase): Promise<Sample> {
  const added: Array<Awaited<ReturnType<OpenContender['add']>>> = []
  const bench = new Bench({ iterations: 1, time: 0, warmup: false, retainSamples: true, throws: true })

  bench.add(phase, async () => {
    added.push(await contender.add(directory))
  }, {
    async: true,
    async beforeEach () {
      if (phase === 'cold') {
        await contender.empty()
      }
    }
  })

  const [task] = await bench.run()
  const { result } = task

  if (result.state !== 'completed' || result.latency.samples?.length !== 1 || added.length !== 1) {
    throw new Error(`one add was to be timed, and ${added.length} ran (${result.state})`)
  }

  return { ms: result.latency.samples[0], ...added[0] }
}
