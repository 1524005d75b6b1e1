/**
 * Runs something that an interrupt or a termination of this process aborts. It
 * has cleaned up when it settles; then the process ends by the signal, as it
 * would have without us.
 */
export async function withInterruption <T> (run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let received: NodeJS.Signals | undefined

  const interrupt = (name: NodeJS.Signals): void => {
    received ??= name
    controller.abort(new Error(`interrupted by ${name}`))
  }

  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  process.on('SIGHUP', interrupt)

  try {
    return await run(controller.signal)
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    process.off('SIGHUP', interrupt)

    if (received != null) {
      process.kill(process.pid, received)
    }
  }
}
