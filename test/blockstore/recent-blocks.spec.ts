import { expect } from 'aegir/chai'
import { RecentBlocks } from '../../src/blockstore/index.ts'
import { createBlock, rawCode } from '../../src/codec/index.ts'
import type { BlockReader } from '../../src/blockstore/index.ts'
import type { Block } from '../../src/codec/index.ts'
import type { CID } from 'multiformats/cid'

describe('blockstore/recent-blocks', () => {
  let asked: CID[]
  let blocks: Block[]
  let reader: BlockReader

  beforeEach(async () => {
    asked = []
    blocks = await Promise.all(Array.from({ length: 6 }, async (_, i) => createBlock(rawCode, new Uint8Array(2 ** 20).fill(i))))
    reader = new RecentBlocks({
      async get (cid) {
        asked.push(cid)
        const found = blocks.find(block => block.cid.equals(cid))

        if (found === undefined) {
          throw new Error('no such block')
        }

        return found
      }
    })
  })

  it('fetches a block once for repeated reads', async () => {
    expect(await reader.get(blocks[0].cid)).to.equal(blocks[0])
    expect(await reader.get(blocks[0].cid)).to.equal(blocks[0])
    expect(asked).to.have.lengthOf(1)
  })

  it('keeps the 4 MiB read most recently', async () => {
    for (const { cid } of [...blocks.slice(0, 4), blocks[0], blocks[4]]) {
      await reader.get(cid)
    }

    await reader.get(blocks[0].cid)
    expect(asked).to.have.lengthOf(5)
    await reader.get(blocks[1].cid)
    expect(asked).to.have.lengthOf(6)
  })

  it('fetches again after a failed read', async () => {
    const { cid } = await createBlock(rawCode, Uint8Array.of(1))

    await expect(reader.get(cid)).to.eventually.be.rejectedWith('no such block')
    await expect(reader.get(cid)).to.eventually.be.rejectedWith('no such block')
    expect(asked).to.have.lengthOf(2)
  })
})
