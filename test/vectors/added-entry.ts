import { pattern, readAttributes } from './notation.ts'
import type { TreeVector } from './notation.ts'
import type { AddedEntry } from '../../src/index.ts'

/** An entry of a vector as `addAll` takes it. */
export function addedEntry ({ path, pattern: bytes, target, attributes = {} }: TreeVector['entries'][number]): AddedEntry {
  const { mode, ...others } = readAttributes(attributes)

  if (target !== undefined) {
    return { path, kind: 'symlink', target, ...others }
  }

  return bytes === undefined ? { path, kind: 'directory', mode, ...others } : { path, content: pattern(bytes), mode, ...others }
}
