import { fixedSize } from 'dagfs'
import type { FileLayout } from 'dagfs'

/**
 * The default layout with another inline limit
 */
export function layoutOf (inlineBytes: number): FileLayout {
  return { chunker: fixedSize(2 ** 20), width: 1_024, inlineBytes }
}
