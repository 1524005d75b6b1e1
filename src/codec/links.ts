import { dagCborCode } from './cid.ts'
import { Cursor, major } from './cursor.ts'
import { decodeDirectory, readNodeKey } from './directory.ts'
import { decodeParts } from './file.ts'
import { isLeaf } from './schema.ts'
import { decodeSnapshot } from './snapshot.ts'
import type { Block, Entry } from './schema.ts'
import type { CID } from 'multiformats/cid'

/**
 * The CIDs that a block of the format links to, in the order in which they stand.
 *
 * @throws {InvalidNodeError} where the block is not canonical
 * @throws {UnsupportedVersionError} where it is of a type that this release does not know
 */
export function links (block: Block): CID[] {
  if (block.cid.code !== dagCborCode) {
    return []
  }

  switch (nodeKind(block)) {
    case 'index':
      return decodeParts(block).map(({ link }) => link)
    case 'snapshot':
      return snapshotLinks(block)
    default:
      return directoryLinks(block)
  }
}

/**
 * What a dag-cbor block of the format is, by how it begins.
 *
 * @throws {InvalidNodeError} where it is no node at all
 * @throws {UnsupportedVersionError} where it is of a type that this release does not know
 */
export function nodeKind ({ cid, bytes }: Block): 'directory' | 'index' | 'snapshot' {
  const cursor = new Cursor(bytes, cid)

  if (cursor.peek() === major.list) {
    return 'index'
  }

  return readNodeKey(cursor, cid) === 'snapshot' ? 'snapshot' : 'directory'
}

/**
 * Whether a block of the format is a snapshot.
 *
 * @throws {InvalidNodeError} where it is no node at all
 * @throws {UnsupportedVersionError} where it is of a type that this release does not know
 */
export function isSnapshot (block: Block): boolean {
  return block.cid.code === dagCborCode && nodeKind(block) === 'snapshot'
}

function snapshotLinks (block: Block): CID[] {
  const { tree, parents } = decodeSnapshot(block)

  return [tree, ...parents]
}

/**
 * The CIDs that a block of a directory links to.
 *
 * @throws {InvalidNodeError} where the block is not canonical, or of no directory
 */
export function directoryLinks (block: Block): CID[] {
  const node = decodeDirectory(block)

  return isLeaf(node) ? node.entries.flatMap(entryLink) : node.branches.map(({ link }) => link)
}

function entryLink ({ content }: Entry): CID[] {
  return typeof content === 'string' || content instanceof Uint8Array ? [] : [content]
}
