import { compareBytes, major } from './cursor.ts'
import { encode } from './encode.ts'
import { maxMetaBytes, maxMetaDepth, maxMode, maxNanoseconds } from './limits.ts'
import type { Cursor } from './cursor.ts'
import type { Attributes, Meta, MetaValue, Time } from './schema.ts'

/**
 * Why attributes cannot be recorded, or undefined where they can.
 */
export function attributesFault ({ meta, mode, mtime, ...others }: Attributes, isLink = false): string | undefined {
  const unknown = Object.keys(others)[0]

  if (unknown !== undefined) {
    return `${unknown} is not an attribute`
  }

  if (mode !== undefined && isLink) {
    return 'a symbolic link carries no mode'
  }

  if (mode !== undefined && !isCount(mode, maxMode)) {
    return 'mode must be an integer from 0 to 0o7777'
  }

  return (mtime === undefined ? undefined : timeFault(mtime)) ?? (meta === undefined ? undefined : metaFault(meta, maxMetaBytes))
}

/**
 * Why attributes cannot stand in a node, which has none rather than empty ones.
 */
export function nodeAttributesFault (attributes: Attributes, isLink = false): string | undefined {
  if (Object.values(attributes).every(value => value === undefined)) {
    return 'attributes must not be empty'
  }

  return attributesFault(attributes, isLink)
}

export function timeFault (time: Time): string | undefined {
  if (!Array.isArray(time) || time.length !== 2 || !Number.isSafeInteger(time[0]) || !isCount(time[1], maxNanoseconds)) {
    return 'a time must be two integers: seconds, and nanoseconds from 0 to 999,999,999'
  }
}

export function metaFault (meta: Meta, maxBytes: number): string | undefined {
  if (!isPlainObject(meta) || Object.keys(meta).length === 0) {
    return 'meta must be a map that is not empty'
  }

  const fault = metaValueFault(meta, 1)

  if (fault !== undefined) {
    return fault
  }

  if (encode(meta).byteLength > maxBytes) {
    return `meta is longer than ${maxBytes} bytes; what is larger belongs in a file`
  }
}

function metaValueFault (value: unknown, depth: number): string | undefined {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) {
    return
  }

  if (typeof value === 'string') {
    return textFault(value)
  }

  if (value instanceof Uint8Array) {
    return
  }

  if (depth > maxMetaDepth) {
    return `meta is nested more than ${maxMetaDepth} deep`
  }

  if (Array.isArray(value)) {
    return firstFault(value, item => metaValueFault(item, depth + 1))
  }

  if (isPlainObject(value)) {
    return firstFault(Object.entries(value), ([key, item]) => textFault(key) ?? metaValueFault(item, depth + 1))
  }

  return 'meta can hold strings, bytes, safe integers, booleans, and lists and maps of these'
}

/**
 * Why a string other than a name or a link's target cannot be written.
 */
export function textFault (text: string): string | undefined {
  if (!text.isWellFormed()) {
    return 'a string must be well-formed Unicode'
  }

  if (text.startsWith('\ufeff')) {
    return 'a string cannot begin with U+FEFF, which other readers drop'
  }
}

function firstFault <T> (items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = check(item)

    if (fault !== undefined) {
      return fault
    }
  }
}

function isPlainObject (value: unknown): value is object {
  if (typeof value !== 'object' || value === null) {
    return false
  }

  const prototype: unknown = Object.getPrototypeOf(value)

  return prototype === Object.prototype || prototype === null
}

function isCount (value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max
}

/**
 * Reads attributes: a map of `meta`, `mode` and `mtime`, each optional, at least one.
 */
export function readAttributes (cursor: Cursor): Attributes {
  const attributes: { meta?: Meta, mode?: number, mtime?: Time } = {}

  readMap(cursor, 'attributes', key => {
    switch (key) {
      case 'meta':
        attributes.meta = readMeta(cursor, maxMetaBytes)
        break
      case 'mode':
        attributes.mode = cursor.unsigned('mode')
        break
      case 'mtime':
        attributes.mtime = readTime(cursor, 'mtime')
        break
      default:
        cursor.fail('an attribute has an unknown key')
    }
  })

  if (attributes.mode !== undefined && attributes.mode > maxMode) {
    cursor.fail('mode is over 0o7777')
  }

  return attributes
}

export function readTime (cursor: Cursor, what: string): Time {
  if (cursor.list(what) !== 2) {
    cursor.fail(`${what} must have two items`)
  }

  const time = [cursor.integer('seconds'), cursor.unsigned('nanoseconds')] as const

  return time[1] > maxNanoseconds ? cursor.fail('nanoseconds are over 999,999,999') : time
}

export function readMeta (cursor: Cursor, maxBytes: number): Meta {
  return cursor.within(maxBytes, 'meta', () => readMetaMap(cursor, 1))
}

function readMetaMap (cursor: Cursor, depth: number): Meta {
  // without a prototype, so that a key `__proto__` is a key like any other
  const meta: Record<string, MetaValue> = Object.create(null)

  readMap(cursor, 'meta', key => {
    if (key.startsWith('\ufeff')) {
      cursor.fail('a key begins with U+FEFF')
    }

    meta[key] = readMetaValue(cursor, depth + 1)
  }, depth > 1)

  return meta
}

function readMetaValue (cursor: Cursor, depth: number): MetaValue {
  const type = cursor.peek()

  if (depth > maxMetaDepth && (type === major.list || type === major.map)) {
    cursor.fail(`meta is nested more than ${maxMetaDepth} deep`)
  }

  switch (type) {
    case major.unsigned:
    case major.negative:
      return cursor.integer('an integer')
    case major.bytes:
      return cursor.byteString('bytes')
    case major.text:
      return readText(cursor, 'a string')
    case major.list:
      return readList(cursor, depth)
    case major.map:
      return readMetaMap(cursor, depth)
    case major.simple:
      return cursor.boolean()
    default:
      return cursor.fail('meta cannot contain links')
  }
}

function readList (cursor: Cursor, depth: number): readonly MetaValue[] {
  const values: MetaValue[] = []

  for (let left = cursor.list('a list'); left > 0; left--) {
    values.push(readMetaValue(cursor, depth + 1))
  }

  return values
}

/**
 * Reads a map of dag-cbor in canonical order: shorter keys first, then by bytes.
 */
export function readMap (cursor: Cursor, what: string, readValue: (key: string) => void, canBeEmpty = false): void {
  const count = cursor.map(what)
  let previous: Uint8Array | undefined

  if (count === 0 && !canBeEmpty) {
    cursor.fail(`${what} must not be empty`)
  }

  for (let i = 0; i < count; i++) {
    const bytes = cursor.textBytes('a key')

    if (previous !== undefined && (previous.byteLength - bytes.byteLength || compareBytes(previous, bytes)) >= 0) {
      cursor.fail('the keys of a map are out of order')
    }

    previous = bytes
    readValue(cursor.decodeText(bytes))
  }
}

/**
 * Reads a string that is neither a name nor a link's target.
 */
export function readText (cursor: Cursor, what: string): string {
  const text = cursor.text(what)

  return text.startsWith('\ufeff') ? cursor.fail(`${what} begins with U+FEFF`) : text
}
