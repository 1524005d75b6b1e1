import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createBirpc } from 'birpc'
import createDebug from 'debug'
import type { BirpcReturn } from 'birpc'
import type { ChildProcess, Serializable } from 'node:child_process'

const debug = createDebug('bench:process')

/**
 * How long a process may take to end after it was let go
 */
const ENDING_MS = 10_000

export interface WorkerContext {
  readonly signal: AbortSignal
  /**
   * How long one call may take
   */
  readonly timeoutMs: number
  /**
   * What Node.js is started with; by default such that collections can be forced
   */
  readonly execArgv?: readonly string[]
}

/**
 * A process of its own, and what it can be asked
 */
export interface WorkerProcess<F extends object> {
  readonly functions: BirpcReturn<F>
  /**
   * Ends it and everything that it started; once, however often it is called
   */
  stop(): Promise<void>
}

/**
 * Starts a compiled module in a process of its own; aborting the signal rejects
 * what it is asked, and whoever started it has to stop it.
 */
export function startWorker <F extends object> (key: string, module: string, { signal, timeoutMs, execArgv = ['--expose-gc'] }: WorkerContext): WorkerProcess<F> {
  signal.throwIfAborted()

  // a contender that prints must not do so into our table
  const child = fork(module, {
    serialization: 'advanced',
    execArgv: [...execArgv],
    stdio: ['ignore', 2, 2, 'ipc']
  })
  const rpc = createBirpc<F>({}, {
    post: async (message: Serializable) => send(child, message),
    on: listener => { child.on('message', listener) },
    timeout: timeoutMs,
    onTimeoutError (method) {
      throw new Error(`${key} was asked to ${method} and did not answer within ${timeoutMs / 60_000} minutes`)
    }
  })
  const abort = (): void => { rpc.$close(new Error('interrupted')) }

  debug('%s: process %d', key, child.pid)
  signal.addEventListener('abort', abort, { once: true })
  child.once('error', err => { rpc.$close(err) })
  child.once('exit', (code, name) => {
    rpc.$close(new Error(`the process of ${key} ended early (${name ?? `exit code ${code}`})`))
  })

  let stopped: Promise<void> | undefined

  return {
    functions: rpc,
    async stop () {
      signal.removeEventListener('abort', abort)
      stopped ??= end(key, child, () => { rpc.$close() })

      return stopped
    }
  }
}

async function send (child: ChildProcess, message: Serializable): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.send(message, err => { err == null ? resolve() : reject(err) })
  })
}

async function end (key: string, child: ChildProcess, close: () => void): Promise<void> {
  if (child.exitCode != null || child.signalCode != null) {
    return
  }

  const ended = once(child, 'exit')

  close()
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
