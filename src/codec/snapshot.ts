import { InvalidNodeError } from '../errors.ts'
import { metaFault, nodeAttributesFault, readAttributes, readMap, readMeta, readText, readTime, textFault, timeFault } from './attributes.ts'
import { dagCborCode, isSupportedCid } from './cid.ts'
import { Cursor } from './cursor.ts'
import { readNodeKey } from './directory.ts'
import { definedOnly, encode } from './encode.ts'
import { maxChunkBytes, maxInlineBytes, maxMessageBytes, maxParents, maxSnapshotMetaBytes, maxWidth } from './limits.ts'
import type { Block, Layout, Snapshot } from './schema.ts'
import type { CID } from 'multiformats/cid'

type Mutable <T> = { -readonly [K in keyof T]?: T[K] }

const encoder = new TextEncoder()

/** `dagfs-1`: a tree has it where nothing else is said, so that the same snapshot has one encoding. */
const defaultLayout: Layout = { chunkBytes: 2 ** 20, width: 1024, inlineBytes: 2048 }

/**
 * Encodes a snapshot.
 *
 * @throws {InvalidNodeError} where it is not one that a reader would accept
 */
export function encodeSnapshot (snapshot: Snapshot): Uint8Array {
  const fault = snapshotFault(snapshot)

  if (fault !== undefined) {
    throw new InvalidNodeError(`the snapshot cannot be written: ${fault}`)
  }

  const { attributes } = snapshot

  return encode({ snapshot: definedOnly({ ...snapshot, attributes: attributes === undefined ? undefined : definedOnly(attributes) }) })
}

function snapshotFault (snapshot: Snapshot): string | undefined {
  const { tree, parents, generation, time, attributes, layout, message, meta, ...others } = snapshot

  return unknownKeyFault(others) ??
    linksFault([tree, ...parents]) ??
    ancestryFault(parents, generation) ??
    (time === undefined ? undefined : timeFault(time)) ??
    (attributes === undefined ? undefined : nodeAttributesFault(attributes)) ??
    (layout === undefined ? undefined : layoutFault(layout)) ??
    (message === undefined ? undefined : messageFault(message)) ??
    (meta === undefined ? undefined : metaFault(meta, maxSnapshotMetaBytes))
}

function unknownKeyFault (others: object): string | undefined {
  return Object.keys(others).length === 0 ? undefined : 'it has an unknown key'
}

function linksFault (links: readonly CID[]): string | undefined {
  return links.every(link => isSupportedCid(link) && link.code === dagCborCode) ? undefined : 'it links to dag-cbor blocks only'
}

function ancestryFault (parents: readonly CID[], generation: number): string | undefined {
  if (parents.length > maxParents || new Set(parents.map(String)).size !== parents.length) {
    return `it has at most ${maxParents} parents, each once`
  }

  const isGeneration = Number.isSafeInteger(generation) && generation >= 0

  if (!isGeneration || (parents.length === 0) !== (generation === 0)) {
    return 'its generation is 0 without parents, and one more than their highest with them'
  }
}

function layoutFault ({ chunkBytes, width, inlineBytes, ...others }: Layout): string | undefined {
  if (![chunkBytes, width, inlineBytes].every(Number.isSafeInteger)) {
    return 'its layout must be three integers'
  }

  if (chunkBytes < 1 || chunkBytes > maxChunkBytes || width < 2 || width > maxWidth || inlineBytes < 0 || inlineBytes > Math.min(maxInlineBytes, chunkBytes)) {
    return 'a number of its layout is out of range'
  }

  if (chunkBytes === defaultLayout.chunkBytes && width === defaultLayout.width && inlineBytes === defaultLayout.inlineBytes) {
    return 'the default layout is not written'
  }

  return unknownKeyFault(others)
}

function messageFault (message: string): string | undefined {
  const { byteLength } = encoder.encode(message)

  return byteLength < 1 || byteLength > maxMessageBytes ? `a message has 1 to ${maxMessageBytes} bytes` : textFault(message)
}

/**
 * Decodes a snapshot.
 *
 * @throws {InvalidNodeError} where it is not a canonical snapshot
 * @throws {UnsupportedVersionError} where it is a node of a kind that this release does not know
 */
export function decodeSnapshot ({ cid, bytes }: Block): Snapshot {
  const cursor = new Cursor(bytes, cid)

  if (cid.code !== dagCborCode) {
    cursor.fail('a snapshot is a dag-cbor block')
  }

  const key = readNodeKey(cursor, cid)

  if (key !== 'snapshot') {
    cursor.fail(`expected a snapshot, found a ${key}`)
  }

  const fields = readFields(cursor)
  cursor.end()
  const { tree, parents, generation } = fields

  if (tree === undefined || parents === undefined || generation === undefined) {
    return cursor.fail('a snapshot needs tree, parents and generation')
  }

  const snapshot: Snapshot = { ...fields, tree, parents, generation }
  const fault = snapshotFault(snapshot)

  return fault === undefined ? snapshot : cursor.fail(fault)
}

function readFields (cursor: Cursor): Mutable<Snapshot> {
  const fields: Mutable<Snapshot> = {}

  readMap(cursor, 'a snapshot', key => {
    switch (key) {
      case 'meta':
        fields.meta = readMeta(cursor, maxSnapshotMetaBytes)
        break
      case 'time':
        fields.time = readTime(cursor, 'time')
        break
      case 'tree':
        fields.tree = cursor.link('tree')
        break
      case 'layout':
        fields.layout = readLayout(cursor)
        break
      case 'message':
        fields.message = readText(cursor, 'a message')
        break
      case 'parents':
        fields.parents = readParents(cursor)
        break
      case 'attributes':
        fields.attributes = readAttributes(cursor)
        break
      case 'generation':
        fields.generation = cursor.unsigned('generation')
        break
      default:
        cursor.fail('a snapshot has an unknown key')
    }
  })

  return fields
}

function readParents (cursor: Cursor): CID[] {
  const count = cursor.list('parents')

  if (count > maxParents) {
    cursor.fail(`a snapshot has at most ${maxParents} parents`)
  }

  return Array.from({ length: count }, () => cursor.link('a parent'))
}

function readLayout (cursor: Cursor): Layout {
  const layout: Mutable<Layout> = {}

  readMap(cursor, 'layout', key => {
    if (key !== 'chunkBytes' && key !== 'width' && key !== 'inlineBytes') {
      cursor.fail('a layout has an unknown key')
    }

    layout[key] = cursor.unsigned(key)
  })

  const { chunkBytes, width, inlineBytes } = layout

  if (chunkBytes === undefined || width === undefined || inlineBytes === undefined) {
    return cursor.fail('a layout needs chunkBytes, width and inlineBytes')
  }

  return { chunkBytes, width, inlineBytes }
}
