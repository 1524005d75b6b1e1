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
 */
export const dagfs1: FileLayout = { chunker: fixedSize(2 ** 20), width: 1024, inlineBytes: 2048 }
