import { readMap } from './attributes.ts'
import { maxChunkBytes, maxInlineBytes, maxWidth } from './limits.ts'
import type { Cursor } from './cursor.ts'
import type { Layout } from './schema.ts'

/** `dagfs-1`: a tree has it where nothing else is said, so that the same snapshot has one encoding. */
const defaultLayout: Layout = { chunkBytes: 2 ** 20, width: 1024, inlineBytes: 2048 }

/**
 * Why a layout cannot be written, or undefined where it can.
 */
export function layoutFault ({ chunkBytes, width, inlineBytes, ...others }: Layout): string | undefined {
  if (![chunkBytes, width, inlineBytes].every(Number.isSafeInteger)) {
    return 'its layout must be three integers'
  }

  if (chunkBytes < 1 || chunkBytes > maxChunkBytes || width < 2 || width > maxWidth || inlineBytes < 0 || inlineBytes > Math.min(maxInlineBytes, chunkBytes)) {
    return 'a number of its layout is out of range'
  }

  if (chunkBytes === defaultLayout.chunkBytes && width === defaultLayout.width && inlineBytes === defaultLayout.inlineBytes) {
    return 'the default layout must be omitted'
  }

  return unknownKeyFault(others)
}

/**
 * Says that there are keys besides those that are known.
 */
export function unknownKeyFault (others: object): string | undefined {
  return Object.keys(others).length === 0 ? undefined : 'it has an unknown key'
}

/**
 * Reads a layout, which is written in full or not at all.
 */
export function readLayout (cursor: Cursor): Layout {
  const layout: { -readonly [K in keyof Layout]?: Layout[K] } = {}

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
