import type { CID } from 'multiformats/cid'

/**
 * What WNFS v1 records of a file or directory. Times are in seconds.
 */
export interface Metadata {
  readonly unixMeta: {
    readonly mtime: number
    readonly ctime: number
    readonly mode: number
    readonly type: 'file' | 'dir'
  }
  readonly isFile: boolean
  readonly version: string
  /**
   * Of a file, since its blocks do not tell
   */
  readonly size?: number
}

/**
 * The block that stands for a file or directory. Its CID is what the directory
 * above links to.
 */
export interface Header {
  /**
   * In the header itself, or the block that has it
   */
  readonly metadata: Metadata | CID
  /**
   * A file's content, or the links of a directory
   */
  readonly userland: CID
  /**
   * Of a directory: the block that tells what is below it, at any depth
   */
  readonly skeleton?: CID
  /**
   * The header before the last edit
   */
  readonly previous?: CID
}

export type Links = ReadonlyMap<string, CID>

/**
 * How headers, and the links of directories, become blocks
 */
export interface HeaderCodec {
  readonly code: number
  encodeHeader(header: Header): Uint8Array
  decodeHeader(bytes: Uint8Array): Header
  encodeLinks(links: Links): Uint8Array
  decodeLinks(bytes: Uint8Array): Links
}

/**
 * Where the parts of WNFS v1's layout are put
 */
export interface HeaderLayout {
  readonly codec: HeaderCodec
  readonly metadata: 'blocks of their own' | 'inlined'
}
