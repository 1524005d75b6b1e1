import { throwIfAborted } from './abort.ts'
import { turn } from './turn.ts'
import type { AbortOptions } from './options.ts'

// hashing, decoding and reading small files are synchronous: without turns an abort or a timer would wait for the end
const turnEveryMs = 12
let nextTurn = 0

/**
 * To be awaited between the steps of long work: gives the event loop a turn where the last one was a while ago, and
 * throws an `AbortError` once the signal is aborted.
 */
export function pace ({ signal }: AbortOptions = {}): Promise<void> | undefined {
  throwIfAborted(signal)

  return performance.now() < nextTurn ? undefined : takeTurn(signal)
}

async function takeTurn (signal: AbortSignal | undefined): Promise<void> {
  await turn()
  nextTurn = performance.now() + turnEveryMs
  throwIfAborted(signal)
}
