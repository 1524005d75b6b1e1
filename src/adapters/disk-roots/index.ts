/**
 * @packageDocumentation
 *
 * Named roots in a file that several processes share. For Node.js.
 */
// tells too old a runtime in one sentence
import '../../hash.ts'

export { diskRoots } from './disk-roots.ts'
export type { DiskRoots, DiskRootsInit } from './disk-roots.ts'
