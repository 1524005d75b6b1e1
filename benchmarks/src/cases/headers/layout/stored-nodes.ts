import * as dagCbor from '@ipld/dag-cbor'
import { CID } from 'multiformats/cid'
import type { Blocks } from './blocks.ts'
import type { Header, HeaderLayout, Links, Metadata } from './header.ts'

/**
 * What is below a directory, at any depth, so that one block tells it
 */
export type Skeleton = Readonly<Record<string, SkeletonEntry>>

export interface SkeletonEntry {
  readonly cid: CID
  readonly userland: CID
  readonly isFile: boolean
  readonly metadata?: CID
  readonly subSkeleton?: Skeleton
}

export interface StoredFile {
  readonly metadata: Metadata
  readonly userland: CID
}

export interface StoredDirectory {
  readonly metadata: Metadata
  readonly skeleton: Skeleton
  readonly links: Links
}

interface NodeToStore {
  readonly metadata: Metadata
  readonly previous?: CID
}

/**
 * Reads and writes the blocks of one file or directory. Children come before
 * their parents.
 */
export class StoredNodes {
  readonly blocks: Blocks
  readonly #layout: HeaderLayout

  constructor (blocks: Blocks, layout: HeaderLayout) {
    this.blocks = blocks
    this.#layout = layout
  }

  async getFile (cid: CID): Promise<StoredFile> {
    const header = await this.#getHeader(cid)

    return { metadata: await this.#getMetadata(header), userland: header.userland }
  }

  /**
   * What a header links to is fetched at once, where the original waits for one
   * after the other.
   */
  async getDirectory (cid: CID): Promise<StoredDirectory> {
    const header = await this.#getHeader(cid)

    if (header.skeleton == null) {
      throw new Error(`${cid} is the header of a file`)
    }

    const [metadata, skeleton, links] = await Promise.all([
      this.#getMetadata(header),
      this.blocks.get(header.skeleton),
      this.blocks.get(header.userland)
    ])

    return { metadata, skeleton: dagCbor.decode(skeleton), links: this.#layout.codec.decodeLinks(links) }
  }

  async putFile (node: NodeToStore & { readonly userland: CID }): Promise<SkeletonEntry> {
    return this.#putNode(node, { userland: node.userland })
  }

  async putDirectory (node: NodeToStore & { readonly skeleton: Skeleton, readonly links: Links }): Promise<SkeletonEntry> {
    const { code, encodeLinks } = this.#layout.codec
    const userland = await this.blocks.put(code, encodeLinks(node.links))
    const skeleton = await this.blocks.put(dagCbor.code, dagCbor.encode(node.skeleton))

    return { ...await this.#putNode(node, { userland, skeleton }), subSkeleton: node.skeleton }
  }

  async #putNode ({ metadata, previous }: NodeToStore, links: Pick<Header, 'userland' | 'skeleton'>): Promise<SkeletonEntry> {
    const { codec, metadata: place } = this.#layout
    const own = place === 'inlined' ? undefined : await this.blocks.put(dagCbor.code, dagCbor.encode(metadata))
    const cid = await this.blocks.put(codec.code, codec.encodeHeader({ metadata: own ?? metadata, ...links, ...(previous == null ? {} : { previous }) }))

    return { cid, userland: links.userland, isFile: metadata.isFile, ...(own == null ? {} : { metadata: own }) }
  }

  async #getHeader (cid: CID): Promise<Header> {
    return this.#layout.codec.decodeHeader(await this.blocks.get(cid))
  }

  async #getMetadata ({ metadata }: Header): Promise<Metadata> {
    const cid = CID.asCID(metadata)

    return cid == null ? metadata as Metadata : dagCbor.decode(await this.blocks.get(cid))
  }
}
