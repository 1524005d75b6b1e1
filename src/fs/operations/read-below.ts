import { Budget, heldLimits } from '../../budget.ts'
import { integerOption } from '../../options.ts'
import { absolutePath, normalPath } from '../../path.ts'
import { walk } from '../../tree/index.ts'
import { entryInfo } from '../entry-info.ts'
import { direntOf, encodeName } from './read-directory.ts'
import type { OpendirOptions, ReaddirOptions } from './read-directory.ts'
import type { LimitOptions } from '../../budget.ts'
import type { TreeDirectory } from '../../tree/index.ts'
import type { EntryInfo } from '../entry-types.ts'
import type { Dirent } from '../node-api/dirent.ts'

/**
 * What is below a directory, as Node's `readdir` returns it with `recursive`: each directory before what is in it.
 *
 * @throws {LimitExceededError} where that is more than `limits` allow
 */
export async function readBelow (directory: TreeDirectory, path: string, { encoding, withFileTypes = false, limits, maxEntries, signal }: ReaddirOptions): Promise<Array<string | Uint8Array | Dirent<string | Uint8Array>>> {
  const entries: Array<string | Uint8Array | Dirent<string | Uint8Array>> = []
  integerOption('maxEntries', maxEntries)
  const budget = Budget.of({ ...limits, ...(maxEntries === undefined ? {} : { entries: maxEntries }) }, heldLimits, path)

  for await (const { path: below, node } of walk(directory, '', { signal, budget })) {
    budget.lengthen(below)
    entries.push(withFileTypes ? direntOf(node, directoryPath(path, below, node.name), encoding) : encodeName(below.slice(1), encoding))
  }

  return entries
}

/** The path of the directory that an entry is in, in the form of the path that was given. */
function directoryPath (path: string, below: string, name: string): string {
  const parent = below.slice(0, -name.length - 1)

  return parent === '' ? path : normalPath(`${path}${parent}`)
}

/** The entries of a directory, or of all below it, as Node's `opendir` gives them. */
export async function * direntsOf (directory: TreeDirectory, path: string, { encoding, recursive = false, limits, signal }: OpendirOptions): AsyncGenerator<Dirent<string | Uint8Array>> {
  const budget = Budget.of(limits, {}, path)

  if (!recursive) {
    for await (const node of directory.view.list({}, { signal, budget })) {
      yield direntOf(node, path, encoding)
    }

    return
  }

  for await (const { path: below, node } of walk(directory, '', { signal, budget })) {
    yield direntOf(node, directoryPath(path, below, node.name), encoding)
  }
}

/** Lists everything below a directory, each directory before what is in it. */
export async function * walkBelow (directory: TreeDirectory, path: string, { limits, signal }: LimitOptions): AsyncGenerator<EntryInfo> {
  const budget = Budget.of(limits, {}, path)

  for await (const found of walk(directory, absolutePath(path), { signal, budget })) {
    yield entryInfo(found.node, found.path)
  }
}
