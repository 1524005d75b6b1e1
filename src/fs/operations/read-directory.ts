import { normalPath } from '../../path.ts'
import { walk } from '../../tree/index.ts'
import { entryBudget } from '../entry-budget.ts'
import { Dirent } from '../node-api/dirent.ts'
import { decodeText, encodeText } from '../node-api/encoding.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeDirectory, TreeNode } from '../../tree/index.ts'
import type { EncodingOptions } from '../node-api/arguments.ts'
import type { Encoding } from '../node-api/encoding.ts'

export interface ReaddirOptions extends EncodingOptions {
  /** Answer what each entry is, not its name alone. Default: false */
  readonly withFileTypes?: boolean
  /** List what is below as well; links are not followed. Default: false */
  readonly recursive?: boolean
  /**
   * With `recursive`, fail with a `LimitExceededError` where there are more entries than this. A path counts once more for every
   * 256 characters. Default: 1,000,000
   */
  readonly maxEntries?: number
}

export interface OpendirOptions extends EncodingOptions {
  /** As in Node; has no effect */
  readonly bufferSize?: number
  /** List what is below as well; links are not followed. Default: false */
  readonly recursive?: boolean
}

/** An entry of a directory, or of one below. */
interface Listed {
  /** The path of its directory, as it was given */
  readonly parentPath: string
  /** Where it is below the directory that is listed */
  readonly relativePath: string
  readonly node: TreeNode
}

/** Lists the entries of a directory in the order of their names, each directory before what is in it. */
async function * listed (directory: TreeDirectory, path: string, recursive: boolean, options: AbortOptions): AsyncGenerator<Listed> {
  if (!recursive) {
    for await (const node of directory.view.list({}, options)) {
      yield { parentPath: path, relativePath: node.name, node }
    }

    return
  }

  for await (const { path: below, node } of walk(directory, '/', options)) {
    const relativePath = below.slice(1)
    const parent = relativePath.slice(0, -node.name.length - 1)
    yield { parentPath: parent === '' ? path : normalPath(`${path}/${parent}`), relativePath, node }
  }
}

/** A name in the encoding that is asked for. */
export function encodeName (name: string, encoding: Encoding | 'buffer' | null | undefined): string | Uint8Array {
  if (encoding === 'buffer') {
    return encodeText(name)
  }

  return encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8' ? name : decodeText(encodeText(name), encoding)
}

function dirent ({ parentPath, node }: Listed, encoding: Encoding | 'buffer' | null | undefined): Dirent<string | Uint8Array> {
  return new Dirent(encodeName(node.name, encoding), parentPath, node.kind)
}

/** The entries of a directory, as Node's `Dirent`. */
export async function * direntsOf (directory: TreeDirectory, path: string, { encoding, recursive = false, ...options }: ReaddirOptions): AsyncGenerator<Dirent<string | Uint8Array>> {
  for await (const entry of listed(directory, path, recursive, options)) {
    yield dirent(entry, encoding)
  }
}

/**
 * The names in a directory, or its entries, as Node's `readdir` answers them.
 *
 * @throws {LimitExceededError} where there are more below than `maxEntries`
 */
export async function readDirectory (directory: TreeDirectory, path: string, { encoding, withFileTypes = false, recursive = false, maxEntries, ...options }: ReaddirOptions): Promise<Array<string | Uint8Array | Dirent<string | Uint8Array>>> {
  const entries: Array<string | Uint8Array | Dirent<string | Uint8Array>> = []
  const count = entryBudget(path, maxEntries)

  for await (const entry of listed(directory, path, recursive, options)) {
    // no directory by itself has more entries than its blocks
    if (recursive) {
      count(entry.relativePath)
    }

    entries.push(withFileTypes ? dirent(entry, encoding) : encodeName(entry.relativePath, encoding))
  }

  return entries
}
