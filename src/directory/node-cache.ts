import { Recent } from '../blockstore/index.ts'
import { cidKey, decodeDirectory, findInDirectory } from '../codec/index.ts'
import { pace } from '../pace.ts'
import { findInNode, heldBy } from './node.ts'
import type { Held } from './node.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Block, DirectoryNode, FoundInDirectory } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

// the upper levels of a large tree and the leaves in use
const cacheBytes = 16 * 2 ** 20
// with what is decoded of it
const decodedFactor = 6
// the objects around a node and its entries, which a small one has as well
const itemBytes = 1_500

// decoding costs as much as 8 to 13 look-ups in the encoded block: whoever looks up more often than that has decoded, and
// nobody pays more than twice the best
const lookUpsBeforeDecoding = 8

/** A block of a directory that was read, and what it says once somebody needed all of it. */
interface KnownNode extends Block {
  node: DirectoryNode | undefined
  /** Of the decoded node, once somebody looked up in it: adding it up costs more than a look-up */
  held: Held | undefined
  /** In the block as long as it is not decoded */
  lookUps: number
}

/** The directory nodes that were read last. */
const caches = new WeakMap<BlockReader, Recent<KnownNode>>()

/**
 * Loads and decodes a directory node, or finds it among those that were read last.
 */
export async function loadNode (blocks: BlockReader, cid: CID, options: ReadOptions): Promise<DirectoryNode> {
  // whoever goes through many of them may find all at hand, and would never wait; to await what is not there takes longer than this
  const turn = pace(options)

  if (turn !== undefined) {
    await turn
  }

  return decoded(await loadKnown(blocks, cid, options))
}

/**
 * Looks a name up in a directory node: in its bytes, or once that was done often, in the decoded node.
 */
export async function lookUp (blocks: BlockReader, cid: CID, name: string, options: ReadOptions): Promise<FoundInDirectory> {
  return lookUpIn(await loadKnown(blocks, cid, options), name)
}

/**
 * Looks a name up in a directory node that is at hand; returns undefined where its block would have to be read.
 */
export function lookUpKnown (blocks: BlockReader, cid: CID, name: string): FoundInDirectory | undefined {
  const known = atHand(blocks, cid)

  return known && lookUpIn(known, name)
}

function lookUpIn (known: KnownNode, name: string): FoundInDirectory {
  if (known.node === undefined && known.lookUps < lookUpsBeforeDecoding) {
    known.lookUps++

    return findInDirectory(known, name)
  }

  const node = decoded(known)
  known.held ??= heldBy(node)

  return findInNode(node, known.held, name)
}

function decoded (known: KnownNode): DirectoryNode {
  known.node ??= decodeDirectory(known)

  return known.node
}

async function loadKnown (blocks: BlockReader, cid: CID, options: ReadOptions): Promise<KnownNode> {
  const { budget, signal } = options
  budget?.spend('blocks', 1)
  const known = atHand(blocks, cid) ?? await readNode(blocks, cid, { signal })
  budget?.spend('bytes', known.bytes.byteLength)

  return known
}

async function readNode (blocks: BlockReader, cid: CID, options: AbortOptions): Promise<KnownNode> {
  const read: KnownNode = { ...await blocks.get(cid, options), node: undefined, held: undefined, lookUps: 0 }
  cacheOf(blocks).set(keyOf(cid), read)

  return read
}

function atHand (blocks: BlockReader, cid: CID): KnownNode | undefined {
  return cacheOf(blocks).get(keyOf(cid))
}

function cacheOf (blocks: BlockReader): Recent<KnownNode> {
  const cache = caches.get(blocks) ?? new Recent<KnownNode>(cacheBytes, ({ bytes }) => itemBytes + decodedFactor * bytes.byteLength)
  caches.set(blocks, cache)

  return cache
}

// nodes that are kept give the same CIDs for their children again, and making a key takes longer than a look-up
const keys = new WeakMap<CID, string>()

function keyOf (cid: CID): string {
  const key = keys.get(cid) ?? cidKey(cid)
  keys.set(cid, key)

  return key
}
