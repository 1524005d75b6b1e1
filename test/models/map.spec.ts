import fc from 'fast-check'
import { fixedSize } from '../../src/index.ts'
import { parameters } from '../codec/runs.ts'
import { agreement, replay } from './agree.ts'
import { plainCalls } from './arbitraries.ts'
import { openDagfsSystem } from './dagfs-system.ts'
import { plainFailures } from './failures.ts'
import { MapFs } from './map-fs.ts'
import type { Pair } from './agree.ts'
import type { FileLayout } from '../../src/index.ts'

function mapAgainstDagfs (draftBytes?: number, layout?: FileLayout): Pair {
  const real = openDagfsSystem(draftBytes, undefined, layout)

  return {
    model: { fs: new MapFs(), handles: [] },
    real,
    check: real.checkHistory,
    close: real.close
  }
}

describe('fs beside a plain map', () => {
  for (const { why, operations } of plainFailures) {
    it(`no longer fails where ${why}`, async () => {
      await replay(async () => mapAgainstDagfs(1), operations)
    })
  }

  for (const [name, draftBytes] of [['a draft that holds everything', undefined], ['a draft that is stored at every edit', 1], ['a draft that is stored now and then', 10_000]] as const) {
    it(`answers alike, and gives the root of a fresh import: with ${name}`, async () => {
      await fc.assert(agreement(async () => mapAgainstDagfs(draftBytes), plainCalls), parameters(50))
    })
  }
  const layouts: Array<[name: string, layout: FileLayout]> = [
    ['small chunks, so that files have indexes of several levels', { chunker: fixedSize(64), width: 3, inlineBytes: 20 }],
    ['files inlined up to 6,000 bytes, so that directories have several blocks', { chunker: fixedSize(2 ** 14), width: 4, inlineBytes: 6_000 }]
  ]

  for (const [name, layout] of layouts) {
    it(`answers alike, and gives the root of a fresh import: with ${name}`, async () => {
      await fc.assert(agreement(async () => mapAgainstDagfs(10_000, layout), plainCalls), parameters(50))
    })
  }
})
