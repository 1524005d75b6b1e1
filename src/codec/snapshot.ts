import { InvalidNodeError } from '../errors.ts'
import { metaFault, nodeAttributesFault, readAttributes, readMap, readMeta, readText, readTime, textFault, timeFault } from './attributes.ts'
import { dagCborCode, isSupportedCid } from './cid.ts'
import { Cursor } from './cursor.ts'
import { readNodeKey } from './directory.ts'
import { definedOnly, encode } from './encode.ts'
import { layoutFault, readLayout, unknownKeyFault } from './layout.ts'
import { maxMessageBytes, maxParents, maxSnapshotMetaBytes } from './limits.ts'
import type { Block, Snapshot } from './schema.ts'
import type { CID } from 'multiformats/cid'

type Mutable <T> = { -readonly [K in keyof T]?: T[K] }

const encoder = new TextEncoder()

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
