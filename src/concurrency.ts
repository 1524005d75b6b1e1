/**
 * Maps items in order while up to `ahead` of them are in work. When the source or a mapping fails, or the consumer
 * stops early, what is still in work is waited for before anything else happens, so that nothing goes on behind the
 * caller's back.
 */
export async function * mapAhead <T, R> (source: Iterable<T> | AsyncIterable<T>, ahead: number, map: (item: T) => Promise<R>): AsyncGenerator<R> {
  const inWork: Array<Promise<R>> = []

  try {
    for await (const item of source) {
      const result = map(item)
      // it is awaited in its turn; until then a failure must not count as unhandled
      result.catch(() => {})
      inWork.push(result)

      if (inWork.length >= ahead) {
        yield await inWork[0]
        inWork.shift()
      }
    }

    while (inWork.length > 0) {
      yield await inWork[0]
      inWork.shift()
    }
  } finally {
    await Promise.allSettled(inWork)
  }
}
