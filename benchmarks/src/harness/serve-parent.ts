import { createBirpc } from 'birpc'

/**
 * Answers what the parent of this process asks, and closes when it lets go of
 * us, or is gone; with nothing left to do, the process then ends by itself.
 */
export function serveParent <F extends object> (functions: F, close: () => Promise<void>): void {
  createBirpc<object, F>(functions, {
    post (message) {
      // nobody is left to hear the answer to what was interrupted
      if (process.connected) {
        process.send?.(message, undefined, undefined, err => {
          // it may also go while the answer is on its way
          if (err != null && process.connected) {
            throw err
          }
        })
      }
    },
    on: listener => process.on('message', listener)
  })

  // a terminal sends its interrupt to every process in it; the parent closes us
  process.on('SIGINT', () => {})
  process.once('disconnect', () => { void close() })
}
