interface Stoppable {
  stop(): Promise<void>
}

/**
 * Uses something, and stops it whatever comes of that. Why its use failed says
 * more than how stopping it went.
 */
export async function thenStopped <T> (used: Stoppable, use: () => Promise<T>): Promise<T> {
  let result: T

  try {
    result = await use()
  } catch (err) {
    await Promise.allSettled([used.stop()])
    throw err
  }

  await used.stop()

  return result
}

/**
 * Stops all of them, whatever becomes of one, and answers why those failed that
 * could not be stopped, by their keys.
 */
export async function stopAll <K> (all: Iterable<readonly [K, Stoppable]>): Promise<Map<K, unknown>> {
  const failures = new Map<K, unknown>()

  await Promise.all(Array.from(all, async ([key, started]) => {
    try {
      await started.stop()
    } catch (failure) {
      failures.set(key, failure)
    }
  }))

  return failures
}
