import { bombs } from './parts/bombs.ts'
import { cars } from './parts/cars.ts'
import { damages, healing } from './parts/damage.ts'
import { exports } from './parts/exports.ts'
import { failures } from './parts/failures.ts'
import { fencing } from './parts/fencing.ts'
import { foreign } from './parts/foreign.ts'
import { fuzz } from './parts/fuzz.ts'
import { gc } from './parts/gc.ts'
import { glob } from './parts/glob.ts'
import { hygiene } from './parts/hygiene.ts'
import { inPlace } from './parts/in-place.ts'
import { indexCopies } from './parts/index-copies.ts'
import { kills } from './parts/kills.ts'
import { linear } from './parts/linear.ts'
import { models } from './parts/models.ts'
import { packGc } from './parts/pack-gc.ts'
import { parallelPuts } from './parts/parallel-puts.ts'
import { power } from './parts/power.ts'
import { reopening } from './parts/reopening.ts'
import { secondProcess } from './parts/second-process.ts'
import type { Part } from './part.ts'

/** What can be run alone, by name, in the order in which all of it runs */
export const parts: Readonly<Record<string, Part>> = {
  bombs,
  reopening,
  'parallel-puts': parallelPuts,
  hygiene,
  'second-process': secondProcess,
  cars,
  exports,
  index: indexCopies,
  foreign,
  fencing,
  models,
  linear,
  glob,
  fuzz,
  'in-place': inPlace,
  gc,
  'pack-gc': packGc,
  heal: healing,
  failures,
  damage: damages,
  power,
  kills
}
