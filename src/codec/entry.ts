import { InvalidNodeError, LimitExceededError } from '../errors.ts'
import { nameFault } from '../path.ts'
import { printable } from '../printable.ts'
import { nodeAttributesFault, readAttributes } from './attributes.ts'
import { dagCborCode, isSupportedCid, rawCode } from './cid.ts'
import { major } from './cursor.ts'
import { definedOnly, encodeSmall } from './encode.ts'
import { maxEntryBytes, maxTargetBytes } from './limits.ts'
import type { Cursor } from './cursor.ts'
import type { Content, Entry } from './schema.ts'

const kindCodes = { file: 'f', directory: 'd', symlink: 'l' } as const
const encoder = new TextEncoder()

/**
 * Encodes an entry: `[name, kind, content, size]`, and attributes where there are any.
 *
 * @throws {InvalidNodeError} where the entry is not one that a reader would accept
 * @throws {LimitExceededError} where it has more than 65,536 bytes
 */
export function encodeEntry (entry: Entry): Uint8Array {
  const fault = entryFault(entry)

  if (fault !== undefined) {
    throw new InvalidNodeError(`the entry ${printable(entry.name)} cannot be written: ${fault}`)
  }

  const tuple: unknown[] = [entry.name, kindCodes[entry.kind], entry.content, entry.size]

  if (entry.attributes !== undefined) {
    tuple.push(definedOnly(entry.attributes))
  }

  const bytes = encodeSmall(tuple)

  if (bytes.byteLength > maxEntryBytes) {
    throw new LimitExceededError(`the entry ${printable(entry.name)} has ${bytes.byteLength} bytes, more than ${maxEntryBytes}`)
  }

  return bytes
}

function entryFault (entry: Entry): string | undefined {
  return nameFault(entry.name) ?? sizeFault(entry.size) ?? contentFault(entry) ?? optionalAttributesFault(entry)
}

function optionalAttributesFault ({ attributes, kind }: Entry): string | undefined {
  return attributes === undefined ? undefined : nodeAttributesFault(attributes, kind === 'symlink')
}

function sizeFault (size: number): string | undefined {
  if (!Number.isSafeInteger(size) || size < 0) {
    return 'its size must be a safe integer'
  }
}

function contentFault (entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'file':
      return fileContentFault(entry.content, entry.size)
    case 'directory':
      return isSupportedCid(entry.content) && entry.content.code === dagCborCode ? undefined : 'a directory links to a dag-cbor block'
    default:
      return targetFault(entry.content) ?? (encoder.encode(entry.content).byteLength === entry.size ? undefined : 'its size is not that of the target')
  }
}

function fileContentFault (content: Content, size: number): string | undefined {
  if (content instanceof Uint8Array) {
    return content.byteLength === size ? undefined : 'its size is not that of its bytes'
  }

  if (!isSupportedCid(content)) {
    return 'a file links to raw or dag-cbor blocks'
  }

  // an index has at least two parts of at least one byte
  return size >= (content.code === rawCode ? 1 : 2) ? undefined : 'its size is too small for its content'
}

/**
 * Why a string cannot be the target of a symbolic link, or undefined where it can.
 */
export function targetFault (target: string): string | undefined {
  const bytes = target.isWellFormed() ? encoder.encode(target).byteLength : 0

  if (bytes < 1 || bytes > maxTargetBytes || target.includes('\0')) {
    return `a link's target must be 1 to ${maxTargetBytes} bytes of UTF-8 without NUL`
  }
}

/**
 * Reads one entry.
 */
export function readEntry (cursor: Cursor): Entry {
  const start = cursor.position
  const items = cursor.list('an entry')

  if (items !== 4 && items !== 5) {
    cursor.fail(`an entry has ${items} items`)
  }

  const name = cursor.text('a name')
  const fault = nameFault(name)

  if (fault !== undefined) {
    cursor.fail(fault)
  }

  const entry = readContent(cursor, name, items === 5)

  return cursor.position - start > maxEntryBytes ? cursor.fail('an entry is too long') : entry
}

function readContent (cursor: Cursor, name: string, hasAttributes: boolean): Entry {
  const kind = cursor.text('a kind')

  switch (kind) {
    case 'f': {
      const content = cursor.peek() === major.bytes ? cursor.byteString('content') : cursor.link('content')
      const entry = { name, kind: 'file', content, size: cursor.unsigned('a size') } as const

      return withAttributes(cursor, checked(cursor, entry, fileContentFault(content, entry.size)), hasAttributes)
    }
    case 'd': {
      const content = cursor.link('a directory')
      const entry = { name, kind: 'directory', content, size: cursor.unsigned('a size') } as const

      return withAttributes(cursor, checked(cursor, entry, contentFault(entry)), hasAttributes)
    }
    case 'l': {
      const entry = { name, kind: 'symlink', content: cursor.text('a target'), size: cursor.unsigned('a size') } as const

      return withAttributes(cursor, checked(cursor, entry, contentFault(entry)), hasAttributes)
    }
    default:
      return cursor.fail(`${printable(kind.slice(0, 16))} is not a kind of entry`)
  }
}

function checked <T> (cursor: Cursor, entry: T, fault: string | undefined): T {
  return fault === undefined ? entry : cursor.fail(fault)
}

function withAttributes (cursor: Cursor, entry: Entry, hasAttributes: boolean): Entry {
  if (!hasAttributes) {
    return entry
  }

  const attributes = readAttributes(cursor)

  if (attributes.mode !== undefined && entry.kind === 'symlink') {
    cursor.fail('a symbolic link carries no mode')
  }

  return { ...entry, attributes }
}
