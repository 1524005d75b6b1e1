import { raceSignal } from 'race-signal'
import { AbortError } from './errors.ts'
import { turn } from './turn.ts'

/**
 * Ends a call whose signal is aborted.
 *
 * @throws {AbortError}
 */
export function throwIfAborted (signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new AbortError(signal.reason)
  }
}

/**
 * Waits for a promise, but no longer than until the signal is aborted. What the promise comes to then is nobody's concern.
 *
 * @throws {AbortError}
 */
export async function untilAborted <T> (promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return raceSignal(promise, signal, { translateError: ({ reason }) => new AbortError(reason) })
}

/**
 * Gives the event loop a turn where a call has a signal: work that waits for nothing would be done before anybody could
 * abort it.
 *
 * @throws {AbortError}
 */
export async function turnToAbort (signal: AbortSignal | undefined): Promise<void> {
  if (signal !== undefined) {
    throwIfAborted(signal)
    await turn()
    throwIfAborted(signal)
  }
}
