import { fileURLToPath } from 'node:url'
import { startWorker } from '../../harness/worker-process.ts'
import type { CodecContext } from './context.ts'
import type { CodecWorkerFunctions } from './protocol.ts'
import type { WorkerProcess } from '../../harness/worker-process.ts'

export interface CodecProcess {
  readonly key: string
  readonly version: string
  readonly worker: WorkerProcess<CodecWorkerFunctions>
}

/**
 * Starts the process of a codec.
 */
export async function startCodec (key: string, { signal, options: { timeoutMs } }: Pick<CodecContext, 'signal' | 'options'>): Promise<CodecProcess> {
  // the file beside this one when both are compiled
  const worker = startWorker<CodecWorkerFunctions>(key, fileURLToPath(new URL('worker.js', import.meta.url)), { signal, timeoutMs })

  try {
    return { key, worker, version: await worker.functions.open(key) }
  } catch (err) {
    await Promise.allSettled([worker.stop()])
    throw err
  }
}
