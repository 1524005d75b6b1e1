import { damages, healing } from './parts/damage.ts'
import { failures } from './parts/failures.ts'
import { kills } from './parts/kills.ts'
import { power } from './parts/power.ts'
import type { Part } from './part.ts'

/** What can be run alone, by name, in the order in which all of it runs */
export const parts: Readonly<Record<string, Part>> = { kills, power, failures, damage: damages, heal: healing }
