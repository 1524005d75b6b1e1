import { InvalidNodeError, UnsupportedVersionError } from '../errors.ts'
import { printable } from '../printable.ts'
import { readMap } from './attributes.ts'
import { dagCborCode, isSupportedCid } from './cid.ts'
import { Cursor, major } from './cursor.ts'
import { definedOnly, encode } from './encode.ts'
import { layoutFault, readLayout, unknownKeyFault } from './layout.ts'
import type { RootRecord } from './schema.ts'

type Mutable <T> = { -readonly [K in keyof T]?: T[K] }

/**
 * Encodes what a root store holds under a name.
 *
 * @throws {InvalidNodeError} where it is not a record that a reader would accept
 */
export function encodeRootRecord (record: RootRecord): Uint8Array {
  const fault = recordFault(record)

  if (fault !== undefined) {
    throw new InvalidNodeError(`the root record cannot be written: ${fault}`)
  }

  return encode({ root: definedOnly(record) })
}

function recordFault ({ tree, layout, previous, snapshot, ...others }: RootRecord): string | undefined {
  const links = [tree, previous, snapshot].filter(link => link !== undefined)

  if (!links.every(link => isSupportedCid(link) && link.code === dagCborCode)) {
    return 'it links to dag-cbor blocks only'
  }

  return unknownKeyFault(others) ?? (layout === undefined ? undefined : layoutFault(layout))
}

/**
 * Decodes what a root store holds under a name.
 *
 * @throws {InvalidNodeError} where it is not a canonical root record
 * @throws {UnsupportedVersionError} where it is a record of a kind that this release does not know
 */
export function decodeRootRecord (bytes: Uint8Array): RootRecord {
  const cursor = new Cursor(bytes)

  if (cursor.peek() !== major.map || cursor.map('a root record') !== 1) {
    cursor.fail('expected a map of one key')
  }

  const key = cursor.text('a key')

  if (key !== 'root') {
    throw new UnsupportedVersionError(`this release does not know root records of the type ${printable(key.slice(0, 64))}; upgrade dagfs`)
  }

  const { tree, ...fields } = readFields(cursor)
  cursor.end()

  if (tree === undefined) {
    return cursor.fail('a root record needs a tree')
  }

  const record: RootRecord = { ...fields, tree }
  const fault = recordFault(record)

  return fault === undefined ? record : cursor.fail(fault)
}

function readFields (cursor: Cursor): Mutable<RootRecord> {
  const fields: Mutable<RootRecord> = {}

  readMap(cursor, 'a root record', key => {
    switch (key) {
      case 'tree':
      case 'previous':
      case 'snapshot':
        fields[key] = cursor.link(key)
        break
      case 'layout':
        fields.layout = readLayout(cursor)
        break
      default:
        cursor.fail('a root record has an unknown key')
    }
  })

  return fields
}
