/**
 * A figure of the document, which was not measured here
 */
export interface Published {
  readonly operation: string
  readonly layout: 'dag-pb' | 'dag-cbor' | 'dag-cbor, metadata inlined'
  readonly nsPerOp: number
}

/**
 * The figures that "research for a wnfs v2" gives for wnfs-go, by operation: with
 * headers in dag-pb, in dag-cbor, and in dag-cbor with the metadata in them. Its
 * files have 10 KiB, whatever their names say.
 */
const FIGURES: Readonly<Record<string, readonly [pb: number, cbor: number, inlined: number]>> = {
  cat: [33_671, 48_160, 40_457],
  write: [264_474, 305_450, 251_295],
  'cat-subdir': [52_110, 70_329, 71_086],
  'write-subdir': [426_310, 530_709, 452_925],
  cp: [2_474, 3_982, 3_000]
}

export const published: readonly Published[] = Object.entries(FIGURES).flatMap(([operation, [pb, cbor, inlined]]): Published[] => [
  { operation, layout: 'dag-pb', nsPerOp: pb },
  { operation, layout: 'dag-cbor', nsPerOp: cbor },
  { operation, layout: 'dag-cbor, metadata inlined', nsPerOp: inlined }
])
