import { peakBytes } from './peak.ts'
import { serveParent } from './serve-parent.ts'
import { timeRun } from './time-run.ts'
import type { SubjectFunctions } from './measure-subjects.ts'
import type { Identity } from './protocol.ts'
import type { TimedSample } from './rounds.ts'

/**
 * Something that a process does again and again
 */
export interface OpenPhase {
  /**
   * Makes ready what is timed then, which answers what it was about: the same in
   * every round
   */
  next(): Promise<() => Promise<string>>
  close(): Promise<void>
}

/**
 * What a process does for its parent that has one phase
 */
export type PhaseFunctions<Init> = SubjectFunctions<Init, { readonly cid: string }, TimedSample>

/**
 * Runs in a process of its own: opens the phase that the parent names, and does
 * rounds of it.
 */
export function servePhase <Init> (open: (init: Init) => Promise<{ readonly identity: Identity, readonly phase: OpenPhase }>): void {
  let opened: OpenPhase | undefined

  const next = async (): Promise<() => Promise<string>> => {
    if (opened == null) {
      throw new Error('no phase is open')
    }

    return opened.next()
  }

  const functions: PhaseFunctions<Init> = {
    async open (init) {
      const { identity, phase } = await open(init)

      opened = phase

      return identity
    },
    async check () {
      const run = await next()

      return { cid: await run() }
    },
    async round () {
      const { ms, result } = await timeRun(await next())

      return { ms, cid: result }
    },
    peakMemory: peakBytes
  }

  serveParent(functions, async () => {
    const closing = opened

    opened = undefined
    await closing?.close()
  })
}
