import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { STOPPING_MS } from '../src/contenders/contender.ts'
import { measureSubjects } from '../src/harness/measure-subjects.ts'
import { ENDING_MS, startWorker } from '../src/harness/worker-process.ts'
import type { StartingFunctions } from './workers/starting.ts'
import type { WorkerProcess } from '../src/harness/worker-process.ts'

const { signal } = new AbortController()

function start (endingMs: number): WorkerProcess<StartingFunctions> {
  return startWorker<StartingFunctions>('a contender', fileURLToPath(new URL('workers/starting.js', import.meta.url)), { signal, timeoutMs: 60_000, startsOthers: true, endingMs })
}

describe('a worker process', () => {
  it('may take longer to end than any contender waits for its children', () => {
    assert.ok(ENDING_MS > STOPPING_MS)
  })

  it('counts as stopped if it ends by itself', async () => {
    await start(60_000).stop()
  })

  it('counts as failed if it must be killed, together with its children', async () => {
    const worker = start(200)
    const { started } = await worker.functions.start()

    await worker.functions.stay()
    await assert.rejects(worker.stop(), /^Error: a contender did not end within 0\.2 s after it was let go, and was ended by SIGKILL$/)
    await waitUntilGone(started)
  })

  it('leaves no children when it is killed', async () => {
    const worker = start(60_000)
    const { started, own } = await worker.functions.start()

    process.kill(own, 'SIGKILL')
    await waitUntilGone(started)
    await worker.stop()
  })
})

describe('a subject', () => {
  const stopping: Record<string, () => Promise<void>> = {
    good: async () => {},
    stuck: async () => { throw new Error('it would not stop') }
  }

  async function outcomesOf (round: () => Promise<{ ms: number, cid: string }>): Promise<Array<[string, unknown]>> {
    const outcomes = await measureSubjects(Object.keys(stopping).map(key => ({ key, flushedBy: 'nobody' as const })), {
      options: { iterations: 1, minTimeMs: 0 },
      progress: () => {},
      signal,
      start: ({ key }) => ({
        functions: { open: async () => ({ version: key, options: {} }), check: async () => ({ cid: 'a' }), round, peakMemory: async () => 1 },
        stop: stopping[key]
      }),
      init: () => ({})
    })

    return [...outcomes].map(([key, outcome]) => [key, 'failure' in outcome ? String(outcome.failure) : outcome.samples.length])
  }

  it('fails alone if it cannot be stopped', async () => {
    assert.deepEqual(await outcomesOf(async () => ({ ms: 1, cid: 'a' })), [['good', 1], ['stuck', 'Error: it would not stop']])
  })

  it('keeps its first failure', async () => {
    assert.deepEqual(await outcomesOf(async () => { throw new Error('it broke') }), [['good', 'Error: it broke'], ['stuck', 'Error: it broke']])
  })
})

async function waitUntilGone (pid: number): Promise<void> {
  // what waits for being reaped is gone
  const isThere = async (): Promise<boolean> => /^[^Z]/.test((await execa('ps', ['-o', 'stat=', '-p', String(pid)], { reject: false })).stdout)

  for (const began = performance.now(); await isThere();) {
    assert.ok(performance.now() - began < 10_000, 'it was not gone in 10 s')
    await delay(50)
  }
}
