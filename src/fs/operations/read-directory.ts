import { Dirent } from '../node-api/dirent.ts'
import { decodeText, encodeText } from '../node-api/encoding.ts'
import type { Limits } from '../../budget.ts'
import type { TreeDirectory, TreeNode } from '../../tree/index.ts'
import type { EncodingOptions } from '../node-api/arguments.ts'
import type { Encoding } from '../node-api/encoding.ts'

/** Options of `fs.readdir()`. */
export interface ReaddirOptions extends EncodingOptions {
  /** Return what each entry is, not its name alone. Default: false */
  readonly withFileTypes?: boolean
  /** List what is below as well; links are not followed. Default: false */
  readonly recursive?: boolean
  /**
   * With `recursive`, fail with a `LimitExceededError` where there is more than this below. Default: 1,000,000 entries, 4,000,000 blocks, 1 GiB
   */
  readonly limits?: Limits
  /** The same as `limits.entries` */
  readonly maxEntries?: number
}

/** Options of `fs.opendir()`. */
export interface OpendirOptions extends EncodingOptions {
  /** As in Node; has no effect */
  readonly bufferSize?: number
  /** List what is below as well; links are not followed. Default: false */
  readonly recursive?: boolean
  /** With `recursive`, fail with a `LimitExceededError` where there is more than this below. Default: no limits, since nothing is held */
  readonly limits?: Limits
}

/** A name in the encoding that is asked for. */
export function encodeName (name: string, encoding: Encoding | 'buffer' | null | undefined): string | Uint8Array {
  if (encoding === 'buffer') {
    return encodeText(name)
  }

  return encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8' ? name : decodeText(encodeText(name), encoding)
}

/** `path` is that of the entry's directory, as it is to be given. */
export function direntOf ({ name, kind }: TreeNode, path: string, encoding: Encoding | 'buffer' | null | undefined): Dirent<string | Uint8Array> {
  return new Dirent(encodeName(name, encoding), path, kind)
}

/**
 * The names in a directory, or its entries, as Node's `readdir` returns them without `recursive`. No directory by itself has more
 * entries than its blocks.
 */
export async function readDirectory (directory: TreeDirectory, path: string, { encoding, withFileTypes = false, signal }: ReaddirOptions): Promise<Array<string | Uint8Array | Dirent<string | Uint8Array>>> {
  const entries: Array<string | Uint8Array | Dirent<string | Uint8Array>> = []

  for await (const node of directory.view.list({}, { signal })) {
    entries.push(withFileTypes ? direntOf(node, path, encoding) : encodeName(node.name, encoding))
  }

  return entries
}
