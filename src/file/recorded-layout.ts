import { InvalidOptionError } from '../errors.ts'
import { fixedSize } from './chunker.ts'
import { dagfs1 } from './layout.ts'
import type { FileLayout } from './layout.ts'
import type { Layout } from '../codec/index.ts'

const defaultLayout = layoutNumbers(dagfs1)

/**
 * The numbers of a layout whose chunker cuts by size.
 */
export function layoutNumbers ({ chunker, width, inlineBytes }: FileLayout): Layout {
  return { width, chunkBytes: chunker.maxChunkBytes, inlineBytes }
}

/**
 * What snapshots and root records say of a layout: nothing, where it is `dagfs-1`.
 *
 * @throws {InvalidOptionError} where its chunker cuts by anything but size, which the format has no words for
 */
export function recordedLayout (layout: FileLayout): Layout | undefined {
  if (layout.chunker.isFixed !== true) {
    throw new InvalidOptionError('layout.chunker', 'must be a fixedSize for a tree with a name or history')
  }

  const numbers = layoutNumbers(layout)

  return isSameLayout(numbers, defaultLayout) ? undefined : numbers
}

/**
 * The layout that a snapshot or root record speaks of.
 */
export function layoutOf (recorded: Layout | undefined): FileLayout {
  if (recorded === undefined) {
    return dagfs1
  }

  const { chunkBytes, width, inlineBytes } = recorded

  return { chunker: fixedSize(chunkBytes), width, inlineBytes }
}

/**
 * Whether two layouts make the same blocks of the same bytes.
 */
export function isSameLayout (a: Layout | undefined, b: Layout | undefined): boolean {
  const [one, other] = [a ?? defaultLayout, b ?? defaultLayout]

  return one.width === other.width && one.chunkBytes === other.chunkBytes && one.inlineBytes === other.inlineBytes
}
