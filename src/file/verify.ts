import { rawCode, sumOfLengths } from '../codec/index.ts'
import { maxIndexLevels } from './read.ts'
import type { Content, Layout, Part } from '../codec/index.ts'

/** What is said of an index from above. */
export interface IndexClaims {
  /** Bytes of the file, or of the part, that it stands for; undefined where nothing is said */
  readonly length: number | undefined
  /** Indexes above it */
  readonly depth: number
  /** How far above the chunks it stands in the file's layout, at least 1; undefined where no layout is known */
  readonly level: number | undefined
}

/**
 * In what an index contradicts what is said of it; undefined where it does not.
 */
export function indexFault (parts: readonly Part[], claims: IndexClaims): string | undefined {
  const { length, depth } = claims
  const sum = sumOfLengths(parts)

  if (length !== undefined && sum !== length) {
    return `the parts add up to ${sum} bytes, where ${length} are claimed`
  }

  if (depth === 0 && parts.length < 2) {
    return "the root of a file's index has one part"
  }

  if (isNestedTooDeep(claims)) {
    return "a file's index is nested too deep"
  }
}

/** Whether nothing below an index is read. */
export function isNestedTooDeep ({ depth }: IndexClaims): boolean {
  return depth >= maxIndexLevels
}

/** How many levels of indexes stand over the chunks of a file. */
export function indexLevels (size: number, { chunkBytes, width }: Layout): number {
  let levels = 0

  for (let parts = Math.ceil(size / chunkBytes); parts > 1; levels++) {
    parts = Math.ceil(parts / width)
  }

  return levels
}

/**
 * In what the content of a file has another form than a layout gives it, as far as the entry shows; undefined where it has not.
 */
export function formFault (content: Content, size: number, { chunkBytes, inlineBytes }: Layout): string | undefined {
  const form = formOf(content)
  const wanted = formOfSize(size, chunkBytes, inlineBytes)

  return form === wanted ? undefined : `a file of ${size} bytes is ${form}, and ${wanted} in its layout`
}

function formOf (content: Content): string {
  if (content instanceof Uint8Array) {
    return 'inlined'
  }

  return content.code === rawCode ? 'one raw block' : 'an index'
}

function formOfSize (size: number, chunkBytes: number, inlineBytes: number): string {
  if (size === 0 || size <= inlineBytes) {
    return 'inlined'
  }

  return size <= chunkBytes ? 'one raw block' : 'an index'
}

/**
 * In what an index is another one than a layout makes; undefined where it is not. All indexes of a file, held against their
 * levels, show that it is balanced and filled from the left.
 */
export function fillFault (parts: readonly Part[], level: number, { chunkBytes, width }: Layout): string | undefined {
  const span = chunkBytes * width ** (level - 1)
  const isAboveChunks = parts[0].link.code === rawCode

  if (isAboveChunks !== (level === 1)) {
    return isAboveChunks ? 'an index links to chunks too early' : 'an index has a level too many'
  }

  if (parts.length > width || parts.slice(0, -1).some(({ length }) => length !== span) || parts[parts.length - 1].length > span) {
    return `the parts of an index are not cut every ${span} bytes, ${width} of them at most`
  }
}
