import { servePhase } from '../../harness/serve-phase.ts'
import { PHASES } from './phases.ts'
import { identify } from './stores.ts'
import type { StoreWorkerInit } from './protocol.ts'

// the process of one store and what is done with it

servePhase(async (init: StoreWorkerInit) => ({ phase: await PHASES[init.phase](init), identity: await identify(init.contender) }))
