/**
 * @packageDocumentation
 *
 * Named roots in a file that several processes share. For Node.js.
 */
export { diskRoots } from './disk-roots.ts'
export type { DiskRoots, DiskRootsInit } from './disk-roots.ts'
