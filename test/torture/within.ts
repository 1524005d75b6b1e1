/** What a promise comes to, or an error where that takes longer than it may. */
export async function within <T> (ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => { reject(new Error(`nothing came of it within ${ms} ms`)) }, ms)

  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
