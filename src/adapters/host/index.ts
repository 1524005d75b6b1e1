// tells too old a runtime, before anything else of this entry point can fail on it
import '../../hash.ts'

export { exportDirectory } from './export-directory.ts'
export { importDirectory, previewImport } from './import-directory.ts'
export type * from './types.ts'
