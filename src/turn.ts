/**
 * Resolves after the event loop has had a turn, so that timers, I/O and aborts are served between pieces of work.
 */
export async function turn (): Promise<void> {
  await new Promise<void>(resolve => {
    setImmediate(resolve)
  })
}
