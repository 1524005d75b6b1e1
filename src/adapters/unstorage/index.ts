// tells too old a runtime, before anything else of this entry point can fail on it
import '../../hash.ts'

export { dagfsDriver } from './driver.ts'
export type * from './types.ts'
