import { peakBytes } from '../../harness/peak.ts'
import { serveParent } from '../../harness/serve-parent.ts'
import { timeRun } from '../../harness/time-run.ts'
import { PHASES } from './phases.ts'
import { identify } from './stores.ts'
import type { OpenPhase } from './phases.ts'
import type { StoreWorkerFunctions } from './protocol.ts'

// the process of one store and what is done with it

let opened: OpenPhase | undefined

function phase (): OpenPhase {
  if (opened == null) {
    throw new Error('no phase is open')
  }

  return opened
}

const functions: StoreWorkerFunctions = {
  async open (init) {
    opened = await PHASES[init.phase](init)

    return identify(init.contender)
  },
  async check () {
    const run = await phase().next()

    return { cid: await run() }
  },
  async round () {
    const { ms, result } = await timeRun(await phase().next())

    return { ms, cid: result }
  },
  peakMemory: peakBytes
}

serveParent(functions, async () => {
  const closing = opened

  opened = undefined
  await closing?.close()
})
