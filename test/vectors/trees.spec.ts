import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import { addedEntry } from './added-entry.ts'
import { vectors } from './notation.ts'
import type { DagFs } from '../../src/index.ts'

async function walked (fs: DagFs): Promise<string[]> {
  const paths: string[] = []

  for await (const { path } of fs.walk()) {
    paths.push(path.slice(1))
  }

  return paths
}

describe('vectors of trees', () => {
  for (const { title, entries, root, size, walk } of vectors.trees) {
    it(`commits ${title}`, async () => {
      const fs = dagfs({ blockstore: new MemoryBlockstore() })
      await fs.addAll(entries.map(addedEntry))

      expect((await fs.commit()).root.toString()).to.equal(root)
      expect(await fs.stat('/')).to.have.property('size', size)
    })

    it(`walks ${title} in order`, async () => {
      const fs = dagfs({ blockstore: new MemoryBlockstore() })
      // the order in which entries come makes no difference
      await fs.addAll(entries.map(addedEntry).reverse())
      const { root: reversed } = await fs.commit()

      expect(reversed.toString()).to.equal(root)
      expect(await walked(fs)).to.deep.equal(walk)
    })
  }
})
