import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects all garbage, so that what is in use then is held by somebody. */
export const collectGarbage: () => void = runInNewContext('gc')
