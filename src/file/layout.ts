import { maxChunkBytes, maxInlineBytes, maxWidth } from '../codec/index.ts'
import { InvalidOptionError } from '../errors.ts'
import { integerOption } from '../options.ts'
import { fixedSize } from './chunker.ts'
import type { Chunker } from './chunker.ts'

/**
 * The choices that decide which blocks a file's bytes become.
 */
export interface FileLayout {
  readonly chunker: Chunker
  /** Parts of a full index block */
  readonly width: number
  /** Files up to this many bytes are held in their entry */
  readonly inlineBytes: number
}

/**
 * The layout `dagfs-1`: chunks and width of IPIP-499's `unixfs-v1-2025`, so that leaves are shared with a UnixFS tree of
 * the same files, and files up to 2 KiB inlined.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, dagfs1 } from 'dagfs'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() }, { layout: { ...dagfs1, inlineBytes: 0 } })
 * await fs.writeFile('/file', 'hello')
 * const { cid } = await fs.stat('/file')
 * console.log(String(cid)) // bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq
 * ```
 */
export const dagfs1: FileLayout = { chunker: fixedSize(2 ** 20), width: 1024, inlineBytes: 2048 }

/**
 * Checks a layout that a caller gives.
 *
 * @throws {InvalidOptionError} where the format does not allow it
 */
export function checkLayout (layout: FileLayout): FileLayout {
  const { chunker, width, inlineBytes } = layout

  if (typeof chunker?.firstChunkBytes !== 'function') {
    throw new InvalidOptionError('layout.chunker', 'must be a chunker, such as fixedSize(1048576)')
  }

  integerOption('layout.chunker.maxChunkBytes', chunker.maxChunkBytes, 1, maxChunkBytes)
  integerOption('layout.width', width, 2, maxWidth)
  // what is inlined is one chunk
  integerOption('layout.inlineBytes', inlineBytes, 0, Math.min(maxInlineBytes, chunker.maxChunkBytes))

  return layout
}
