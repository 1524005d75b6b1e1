export { importDirectory } from './import-directory.ts'
export type * from './types.ts'
