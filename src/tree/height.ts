import { cidKey } from '../codec/index.ts'
import { pace } from '../pace.ts'
import { maxPathSegments } from '../path.ts'
import type { TreeDirectory } from './node.ts'
import type { AbortOptions } from '../options.ts'

/**
 * How many levels a directory has below itself: 0 where it is empty, and `Infinity` above 1,024. Every directory with others in it
 * is read once, however often it is linked to.
 */
export async function heightOf (directory: TreeDirectory, options: AbortOptions): Promise<number> {
  return measure(directory, 0, new Map(), options)
}

async function measure ({ cid, view }: TreeDirectory, depth: number, known: Map<string, number>, options: AbortOptions): Promise<number> {
  const key = cid && cidKey(cid)
  const knownHeight = key === undefined ? undefined : known.get(key)

  if (knownHeight !== undefined) {
    return knownHeight
  }

  if (depth > maxPathSegments) {
    return Number.POSITIVE_INFINITY
  }

  let height = 0

  for await (const node of view.list({}, options)) {
    await pace(options)
    height = Math.max(height, 1 + (node.kind === 'directory' ? await measure(node, depth + 1, known, options) : 0))
  }

  // most have no directories in them, and are soon read again
  if (key !== undefined && height > 1) {
    known.set(key, height)
  }

  return height
}
