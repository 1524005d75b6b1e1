export { dagfs } from './dagfs.ts'
export type * from './types.ts'
