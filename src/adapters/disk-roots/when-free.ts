import { setTimeout } from 'node:timers/promises'
import { throwIfAborted } from '../../abort.ts'
import { StoreLockedError } from '../../errors.ts'
import { isSqliteError } from '../../sqlite/index.ts'
import type { AbortOptions } from '../../options.ts'

// SQLITE_BUSY, whatever its extended code
const busy = 5
// a root is set within a few milliseconds; a little chance, so that those who wait do not keep meeting
const minWaitMs = 1
const maxWaitMs = 20

/**
 * Does some work with a database, again and again until nobody else is writing to it. SQLite itself would wait in the
 * event loop's thread, and hear of no abort.
 *
 * @throws {StoreLockedError} after `timeoutMs`
 * @throws {Error} what SQLite throws, with the file's `path` added
 */
export async function whenFree <T> (path: string, timeoutMs: number, work: () => T, { signal }: AbortOptions): Promise<T> {
  const deadline = performance.now() + timeoutMs

  for (;;) {
    throwIfAborted(signal)

    try {
      return work()
    } catch (err) {
      if (!isSqliteError(err, busy)) {
        // SQLite does not say which file it could not open, or is no database
        throw err instanceof Error && 'errcode' in err ? Object.assign(err, { path }) : err
      }

      if (performance.now() >= deadline) {
        throw new StoreLockedError(`another process has held the roots for ${timeoutMs} ms`, { path, cause: err })
      }
    }

    await wait(signal)
  }
}

async function wait (signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(minWaitMs + Math.random() * (maxWaitMs - minWaitMs), undefined, { signal })
  } catch (err) {
    // the reason that the caller gave, not the timer's
    throwIfAborted(signal)
    throw err
  }
}
