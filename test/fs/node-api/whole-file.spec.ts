import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { createBlock, dagCborCode, encodeEntry, encodeLeaf, encodeParts, rawCode } from '../../../src/codec/index.ts'
import { dagfs } from '../../../src/index.ts'
import type { Block } from '../../../src/codec/index.ts'
import type { DagFs } from '../../../src/index.ts'

describe('fs/node-api/whole-file', () => {
  const store = new MemoryBlockstore()

  async function put ({ cid, bytes }: Block): Promise<Block['cid']> {
    await store.put(cid, bytes)

    return cid
  }

  /** 32 blocks of 2^50 bytes, in an entry that claims `size`, which is held against them where they are read. */
  async function claiming (size: number): Promise<DagFs> {
    let part = { length: 2 ** 20, link: await put(await createBlock(rawCode, new Uint8Array(2 ** 20))) }

    for (let level = 0; level < 30; level++) {
      part = { length: 2 * part.length, link: await put(await createBlock(dagCborCode, encodeParts([part, part]))) }
    }

    const root = await put(await createBlock(dagCborCode, encodeLeaf([encodeEntry({ name: 'f', kind: 'file', content: part.link, size })])))

    return dagfs({ blockstore: store }, { root })
  }

  const reads: Array<readonly [what: string, read: (fs: DagFs) => Promise<unknown>]> = [
    ['readFile', async fs => fs.readFile('/f')],
    ['readFile with a flag', async fs => fs.readFile('/f', { flag: 'r+' })],
    ['readFile of a handle', async fs => {
      const handle = await fs.open('/f')

      try {
        await handle.readFile()
      } finally {
        await handle.close()
      }
    }]
  ]

  for (const [what, read] of reads) {
    for (const size of [2 ** 31, 2 ** 50]) {
      it(`refuses ${size} bytes in ${what} before reading, as Node.js does`, async () => {
        await expect(read(await claiming(size))).to.eventually.be.rejectedWith(RangeError, `File size (${size}) is greater than 2 GiB`).with.property('code', 'ERR_FS_FILE_TOO_LARGE')
      })
    }

    it(`begins to read one byte less in ${what}`, async () => {
      await expect(read(await claiming(2 ** 31 - 1))).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
    })
  }
})
