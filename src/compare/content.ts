import { areEqualBytes } from '../bytes.ts'
import { areEqualMetas, cidKey, createBlock, rawCode } from '../codec/index.ts'
import type { Attributes, Content, Entry } from '../codec/index.ts'

/** What two entries can differ in. */
export type EntryField = 'kind' | 'content' | 'mode' | 'mtime' | 'meta'

/**
 * What differs between two entries, in a fixed order. Content of a directory is what is in it. Content of a file is its
 * bytes, not the form in which they are stored, as far as that can be told without reading: a file of several chunks
 * that another layout cut differs.
 */
export async function differingFields (a: Entry, b: Entry): Promise<EntryField[]> {
  return [
    ...(a.kind === b.kind ? [] : ['kind' as const]),
    ...(await haveSameContent(a, b) ? [] : ['content' as const]),
    ...differingAttributes(a.attributes, b.attributes)
  ]
}

export function differingAttributes (a: Attributes = {}, b: Attributes = {}): Array<'mode' | 'mtime' | 'meta'> {
  return [
    ...(a.mode === b.mode ? [] : ['mode' as const]),
    ...(a.mtime?.[0] === b.mtime?.[0] && a.mtime?.[1] === b.mtime?.[1] ? [] : ['mtime' as const]),
    ...(areEqualMetas(a.meta, b.meta) ? [] : ['meta' as const])
  ]
}

/**
 * Whether two entries have the same kind and content, whatever their names and attributes.
 */
export async function haveSameContent (a: Entry, b: Entry): Promise<boolean> {
  if (a.kind === 'symlink' || b.kind === 'symlink') {
    return a.kind === b.kind && a.content === b.content
  }

  if (a.kind !== b.kind || a.size !== b.size) {
    return false
  }

  if (a.content instanceof Uint8Array && b.content instanceof Uint8Array) {
    return areEqualBytes(a.content, b.content)
  }

  return await linkKey(a.content) === await linkKey(b.content)
}

/**
 * A key of an entry's kind and content: equal for two entries where these are.
 */
export async function contentKey ({ kind, content }: Entry): Promise<string> {
  return `${kind}:${typeof content === 'string' ? content : await linkKey(content)}`
}

// bytes that an entry holds are named as the raw block that they would be
async function linkKey (content: Content): Promise<string> {
  return cidKey(content instanceof Uint8Array ? (await createBlock(rawCode, content)).cid : content)
}
