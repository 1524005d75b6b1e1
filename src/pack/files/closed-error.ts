import { StoreStateError } from '../../errors.ts'

/** What whoever comes to a store or a part of it is told once it is closed, be it in the midst of something. */
export function closedError (path: string): StoreStateError {
  // of a temporary file there is no path
  return new StoreStateError('the pack store was closed', path === '' ? {} : { path })
}
