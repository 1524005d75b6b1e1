import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import createDebug from 'debug'
import { startWorker } from './worker-process.ts'
import type { Identity, WorkerFunctions } from './protocol.ts'
import type { WorkerContext } from './worker-process.ts'
import type { Tools } from '../contenders/index.ts'

const debug = createDebug('bench:add-dir:process')

export interface ProcessContext extends WorkerContext {
  /**
   * Where the contenders' stores go
   */
  readonly directory: string
  readonly tools: Tools
}

export type ContenderFunctions = Omit<WorkerFunctions, 'open'>

/**
 * One contender in a process of its own
 */
export interface ContenderProcess {
  readonly key: string
  readonly identity: Identity
  readonly functions: ContenderFunctions
  /**
   * Stops the contender and everything that it started; once, however often it
   * is called
   */
  stop(): Promise<void>
}

/**
 * Starts a contender in a process of its own, with an empty directory; aborting
 * the signal rejects what it is asked, and whoever started it has to stop it.
 */
export async function startContender (key: string, context: ProcessContext): Promise<ContenderProcess> {
  const directory = await mkdtemp(join(context.directory, `${key}-`))
  // the file beside this one when both are compiled
  const worker = startWorker<WorkerFunctions>(key, fileURLToPath(new URL('worker.js', import.meta.url)), { ...context, startsOthers: true })
  const { functions } = worker
  let stopped: Promise<void> | undefined

  const stop = async (): Promise<void> => {
    stopped ??= (async () => {
      try {
        await worker.stop()
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    })()

    return stopped
  }

  try {
    const identity = await functions.open({ key, directory, tools: context.tools })

    debug('%s: %s', key, identity.version)

    return { key, identity, functions, stop }
  } catch (err) {
    // why it did not start says more than how stopping it went
    await Promise.allSettled([stop()])
    throw err
  }
}
