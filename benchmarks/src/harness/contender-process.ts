import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBirpc } from 'birpc'
import createDebug from 'debug'
import type { Identity, WorkerFunctions } from './protocol.ts'
import type { Tools } from '../contenders/index.ts'
import type { BirpcReturn } from 'birpc'
import type { ChildProcess, Serializable } from 'node:child_process'

const debug = createDebug('bench:add-dir:process')

/**
 * How long a process may take to end after it was let go
 */
const ENDING_MS = 10_000

export interface ProcessContext {
  /**
   * Where the contenders' stores go
   */
  readonly directory: string
  readonly tools: Tools
  readonly signal: AbortSignal
  /**
   * How long one call may take
   */
  readonly timeoutMs: number
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
 * Starts a contender in a process of its own; aborting the signal rejects what
 * it is asked, and whoever started it has to stop it.
 */
export async function startContender (key: string, { directory: parent, tools, signal, timeoutMs }: ProcessContext): Promise<ContenderProcess> {
  signal.throwIfAborted()

  const directory = await mkdtemp(join(parent, `${key}-`))
  // the file beside this one when both are compiled; a contender that prints
  // must not do so into our table
  const child = fork(fileURLToPath(new URL('worker.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 2, 2, 'ipc']
  })
  const rpc = createBirpc<WorkerFunctions>({}, {
    post: async (message: Serializable) => send(child, message),
    on: listener => { child.on('message', listener) },
    timeout: timeoutMs,
    onTimeoutError (method) {
      throw new Error(`${key} was asked to ${method} and did not answer within ${timeoutMs / 60_000} minutes`)
    }
  })
  const abort = (): void => { rpc.$close(new Error('interrupted')) }

  signal.addEventListener('abort', abort, { once: true })
  child.once('error', err => { rpc.$close(err) })
  child.once('exit', (code, name) => {
    rpc.$close(new Error(`the process of ${key} ended early (${name ?? `exit code ${code}`})`))
  })

  let stopped: Promise<void> | undefined

  const stop = async (): Promise<void> => {
    stopped ??= (async () => {
      signal.removeEventListener('abort', abort)

      try {
        await end(key, child, rpc)
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    })()

    return stopped
  }

  try {
    const identity = await rpc.open({ key, directory, tools })

    debug('%s: %s, process %d', key, identity.version, child.pid)

    return { key, identity, functions: rpc, stop }
  } catch (err) {
    // why it did not start says more than how stopping it went
    await Promise.allSettled([stop()])
    throw err
  }
}

async function send (child: ChildProcess, message: Serializable): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.send(message, err => { err == null ? resolve() : reject(err) })
  })
}

async function end (key: string, child: ChildProcess, rpc: BirpcReturn<WorkerFunctions>): Promise<void> {
  if (child.exitCode != null || child.signalCode != null) {
    return
  }

  const ended = once(child, 'exit')

  rpc.$close()
  // the process closes its contender when it loses us, even in the middle of a
  // call, and then has nothing left to do
  if (child.connected) {
    child.disconnect()
  }

  if (await endsWithin(ended)) {
    if (child.exitCode !== 0) {
      throw new Error(`${key} could not be stopped cleanly (${child.signalCode ?? `exit code ${child.exitCode}`})`)
    }

    return
  }

  debug('%s does not end by itself', key)
  child.kill('SIGTERM')

  if (!await endsWithin(ended)) {
    child.kill('SIGKILL')
    await ended
  }
}

async function endsWithin (ended: Promise<unknown>): Promise<boolean> {
  const stopWaiting = new AbortController()

  try {
    return await Promise.race([
      ended.then(() => true),
      delay(ENDING_MS, false, { signal: stopWaiting.signal })
    ])
  } finally {
    stopWaiting.abort()
  }
}
