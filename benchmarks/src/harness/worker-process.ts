import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createBirpc } from 'birpc'
import createDebug from 'debug'
import { STOPPING_MS } from '../contenders/contender.ts'
import type { BirpcReturn } from 'birpc'
import type { ChildProcess, Serializable } from 'node:child_process'

const debug = createDebug('bench:process')

/**
 * How long a process may take to end after it was let go: whoever ends what it
 * started by force has to come to it
 */
export const ENDING_MS = 3 * STOPPING_MS

const hasGroups = process.platform !== 'win32'

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
  /**
   * Whether it starts processes, which are not to outlive it however it ends.
   * Default: false
   */
  readonly startsOthers?: boolean
  /**
   * How long it may take to end after it was let go. Default: 30 seconds
   */
  readonly endingMs?: number
}

/**
 * A process of its own, and what it can be asked
 */
export interface WorkerProcess<F extends object> {
  readonly functions: BirpcReturn<F>
  /**
   * Ends it and everything that it started; once, however often it is called
   *
   * @throws {Error} where it had to be ended by force, or did not end well
   */
  stop(): Promise<void>
}

/**
 * Starts a compiled module in a process of its own; aborting the signal rejects
 * what it is asked, and whoever started it has to stop it.
 */
export function startWorker <F extends object> (key: string, module: string, { signal, timeoutMs, execArgv = ['--expose-gc'], startsOthers = false, endingMs = ENDING_MS }: WorkerContext): WorkerProcess<F> {
  signal.throwIfAborted()

  // a contender that prints must not do so into our table
  const child = fork(module, {
    serialization: 'advanced',
    execArgv: [...execArgv],
    // makes it the leader of a group, in which everything is that it starts
    detached: startsOthers && hasGroups,
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
    if (startsOthers && hasGroups && child.pid != null) {
      endGroup(child.pid)
    }

    rpc.$close(new Error(`the process of ${key} ended early (${name ?? `exit code ${code}`})`))
  })

  let stopped: Promise<void> | undefined

  return {
    functions: rpc,
    async stop () {
      signal.removeEventListener('abort', abort)
      stopped ??= end(key, child, endingMs, () => { rpc.$close() })

      return stopped
    }
  }
}

async function send (child: ChildProcess, message: Serializable): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.send(message, err => { err == null ? resolve() : reject(err) })
  })
}

async function end (key: string, child: ChildProcess, endingMs: number, close: () => void): Promise<void> {
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

  if (await endsWithin(ended, endingMs)) {
    if (child.exitCode !== 0) {
      throw new Error(`${key} could not be stopped cleanly (${child.signalCode ?? `exit code ${child.exitCode}`})`)
    }

    return
  }

  debug('%s does not end by itself', key)
  child.kill('SIGTERM')

  if (!await endsWithin(ended, endingMs)) {
    child.kill('SIGKILL')
    await ended
  }

  throw new Error(`${key} did not end within ${endingMs / 1000} s after it was let go, and was ended by ${child.signalCode ?? 'SIGTERM'}`)
}

/**
 * Ends what a process left that is gone itself.
 */
function endGroup (leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (err) {
    // nobody is left; macOS says EPERM where nobody is but who waits for being reaped
    if (!(err instanceof Error && 'code' in err && (err.code === 'ESRCH' || err.code === 'EPERM'))) {
      throw err
    }
  }
}

async function endsWithin (ended: Promise<unknown>, ms: number): Promise<boolean> {
  const stopWaiting = new AbortController()

  try {
    return await Promise.race([
      ended.then(() => true),
      delay(ms, false, { signal: stopWaiting.signal })
    ])
  } finally {
    stopWaiting.abort()
  }
}
