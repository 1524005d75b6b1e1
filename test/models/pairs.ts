import { fixedSize } from '../../src/index.ts'
import { openDagfsSystem } from './dagfs-system.ts'
import { MapFs } from './map-fs.ts'
import type { Pair } from './agree.ts'
import type { FileLayout } from '../../src/index.ts'

/** dagfs beside a plain map */
export function mapAgainstDagfs (draftBytes?: number, layout?: FileLayout): Pair {
  const real = openDagfsSystem(draftBytes, undefined, layout)

  return {
    model: { fs: new MapFs(), handles: [] },
    real,
    check: real.checkHistory,
    close: real.close
  }
}

/** What a dagfs is compared with a map by */
export const settings: ReadonlyArray<readonly [name: string, draftBytes: number | undefined, layout: FileLayout | undefined]> = [
  ['a draft that holds everything', undefined, undefined],
  ['a draft that is stored at every edit', 1, undefined],
  ['a draft that is stored now and then', 10_000, undefined],
  ['small chunks, so that files have indexes of several levels', 10_000, { chunker: fixedSize(64), width: 3, inlineBytes: 20 }],
  ['files inlined up to 6,000 bytes, so that directories have several blocks', 10_000, { chunker: fixedSize(2 ** 14), width: 4, inlineBytes: 6_000 }]
]
