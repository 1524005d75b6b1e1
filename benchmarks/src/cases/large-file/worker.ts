import { packageVersion } from '../../contenders/package-version.ts'
import { servePhase } from '../../harness/serve-phase.ts'
import { PHASES } from './phases.ts'
import type { PhaseInit } from './phases.ts'

// the process of one phase

servePhase(async (init: PhaseInit) => ({ phase: await PHASES[init.phase].open(init), identity: { version: await packageVersion('dagfs'), options: {} } }))
