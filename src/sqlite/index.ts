export { isSqliteError } from './sqlite-error.ts'
export { identityOf, readIdentity } from './read-identity.ts'
export { readUnchanged } from './read-unchanged.ts'
export type { DatabaseIdentity } from './read-identity.ts'
