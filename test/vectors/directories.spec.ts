import { expect } from 'aegir/chai'
import { toHex } from 'multiformats/bytes'
import { decodeDirectory } from '../../src/codec/index.ts'
import { buildDirectory } from '../../src/directory/index.ts'
import { sha256 } from '../../src/hash.ts'
import { readEntries, vectors } from './notation.ts'
import type { DirectoryVector } from './notation.ts'
import type { Block } from '../../src/codec/index.ts'

async function describeBuilt (vector: DirectoryVector): Promise<Pick<DirectoryVector, 'root' | 'count' | 'size' | 'levels'>> {
  const levels: Block[][] = []
  const builder = buildDirectory(readEntries(vector))

  for (;;) {
    const { done, value } = await builder.next()

    if (done === true) {
      const { cid, count, size } = value

      return { root: cid.toString(), count, size, levels: await Promise.all(levels.map(describeLevel)) }
    }

    const { level } = decodeDirectory(value)
    levels[level] = [...levels[level] ?? [], value]
  }
}

async function describeLevel (blocks: readonly Block[]): Promise<DirectoryVector['levels'][number]> {
  const cids = Uint8Array.from(blocks.flatMap(({ cid }) => [...cid.bytes]))

  return { blocks: blocks.length, cids: toHex(await sha256(cids)) }
}

describe('vectors of directories', () => {
  for (const vector of vectors.directories) {
    it(`builds a directory of ${vector.title}`, async () => {
      const { root, count, size, levels } = vector

      expect(await describeBuilt(vector)).to.deep.equal({ root, count, size, levels })
    })
  }
})
