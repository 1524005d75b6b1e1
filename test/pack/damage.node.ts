import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { blockReader } from '../../src/blockstore/index.ts'
import { damages as randomDamages } from '../torture/parts/damage.ts'
import { runCase } from '../torture/run-case.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const segment = 'segment-00000001.car'

describe('a damaged pack store', function () {
  this.timeout(120_000)
  const directories = new Directories()
  let original: string
  let put: TestBlock[]

  before(async () => {
    original = await directories.make()
    put = await blocks(40, 700)
    await withStore(original, {}, async store => {
      for (const [i, { cid, bytes }] of put.entries()) {
        await store.put(cid, bytes)

        if (i % 10 === 9) {
          await store.sync()
        }
      }

      await store.roots.compareAndSet('main', undefined, put[0].cid.bytes)
    })
  })

  after(async () => {
    await directories.removeAll()
  })

  /** A copy of the store with some of its bytes changed */
  async function damaged (change: (bytes: Uint8Array) => void, hasIndex = true): Promise<string> {
    const directory = await directories.make()
    const bytes = await readFile(join(original, segment))
    change(bytes)
    await writeFile(join(directory, segment), bytes)

    if (hasIndex) {
      await cp(join(original, 'index.sqlite'), join(directory, 'index.sqlite'))
    }

    return directory
  }

  const damages: Array<[claim: string, change: (bytes: Uint8Array) => void]> = [
    ['a flipped bit', bytes => { bytes[5_000] ^= 1 }],
    ['a stretch of zeros', bytes => { bytes.fill(0, 4_000, 9_000) }],
    ['two blocks swapped', bytes => {
      const first = bytes.slice(3_000, 3_500)
      bytes.copyWithin(3_000, 8_000, 8_500)
      bytes.set(first, 8_000)
    }]
  ]

  damages.forEach(([claim, change]) => {
    it(`drops what ${claim} damaged if asked to`, async () => {
      const directory = await damaged(change)

      await withStore(directory, {}, async store => {
        const { dropped } = await store.verify({ drop: true })
        expect(dropped).to.not.deep.equal([])
        expect((await store.verify()).problems).to.deep.equal([])
        expect(await store.has(dropped[0])).to.equal(false)
        expect(await store.roots.get('main')).to.deep.equal(put[0].cid.bytes)
      })
    })
  })

  const modes = { 'to be written to': false, 'to be read': true }

  Object.entries(modes).forEach(([mode, readonly]) => {
    it(`finds blocks behind a damaged length, opened ${mode} without an index`, async () => {
      const directory = await damaged(bytes => {
        // the length of a block's section, two bytes, such that it ends within the last record
        const section = Buffer.from(bytes).indexOf(put[30].bytes) - 38
        const length = bytes.byteLength - 20 - (section + 2)
        bytes.set([length & 0x7f | 0x80, length >> 7], section)
      }, false)

      await withStore(directory, { readonly }, async store => {
        expect(await store.roots.get('main')).to.deep.equal(put[0].cid.bytes)
        expect((await store.verify()).problems).to.not.deep.equal([])
        await expect(readBlock(store, put[30].cid)).to.eventually.be.rejected()

        await expectBlocks(store, [...put.slice(0, 30), ...put.slice(31)])
      })
    })
  })

  it('names a block overwritten by another if the index does not match its segment', async () => {
    // of random damage that had to be found: a record was copied over a block, and the segment's last record was cut off
    const cases = await randomDamages.open()

    try {
      await runCase('damage', cases, 31_292_750, 3_593)
    } finally {
      await cases.close()
    }
  })

  it('keeps a block with a damaged codec in place, and moves it when healed', async () => {
    const directory = await damaged(bytes => {
      // the codec's byte, behind the length of two bytes and the version
      bytes[Buffer.from(bytes).indexOf(put[5].bytes) - 38 + 3] ^= 1
    })
    const before = await readFile(join(directory, segment))

    await withStore(directory, {}, async store => {
      const expectAll = async (): Promise<void> => {
        await expectBlocks(store, put.slice(1))
      }

      // what nobody knows may stand there as well
      await store.gc({ roots: put.slice(1).map(({ cid }) => cid), links: () => [], keepUncommitted: false })
      await expectAll()
      expect(Buffer.compare(await readFile(join(directory, segment)), before)).to.equal(0)
      expect((await store.verify()).problems).to.not.deep.equal([])

      await store.verify({ drop: true })
      await expectAll()
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('does not treat a record as a damaged block when healing', async () => {
    const directory = await damaged(bytes => {
      // of the record before the last, whose length stands in two bytes before its CID of 36
      const content = Buffer.from(bytes)
      const record = content.lastIndexOf('dagfs-commit', content.lastIndexOf('dagfs-commit') - 1) - 2
      const length = (bytes[record - 38] & 0x7f) + bytes[record - 37] * 128 + 32
      bytes.set([length & 0x7f | 0x80, length >> 7], record - 38)
    })
    const source = new MemoryBlockstore()
    put.forEach(({ cid, bytes }) => { source.put(cid, bytes) })

    await withStore(directory, {}, async store => {
      const { problems } = await store.verify({ heal: source })
      expect(problems.map(({ kind }) => kind)).to.include('bytes').and.not.include('block')
      expect((await store.verify()).problems).to.deep.equal([])
      expect((await all(store.getAll())).map(({ cid }) => String(cid))).to.have.members(put.map(({ cid }) => String(cid)))
    })
  })

  it('changes nothing by verifying', async () => {
    const directory = await damaged(bytes => { bytes[5_000] ^= 1 })
    const before = await readFile(join(directory, segment))
    await withStore(directory, { readonly: true }, async store => {
      await store.verify()
    })

    expect(Buffer.compare(await readFile(join(directory, segment)), before)).to.equal(0)
  })

  it('never reports an unreadable block as missing', async () => {
    const directory = await damaged(bytes => { bytes[5_000] ^= 1 })

    await withStore(directory, {}, async store => {
      const { problems } = await store.verify()
      const cid = problems[0].cid
      expect(cid).to.not.equal(undefined)

      if (cid !== undefined) {
        await expect(readBlock(store, cid)).to.eventually.be.rejected.with.property('name', 'BlockMismatchError')
      }
    })
  })

  it('returns no damaged block to a filesystem, trusted or not', async () => {
    const directory = await damaged(bytes => { bytes[5_000] ^= 1 })

    for (const trusted of [false, true]) {
      const { damaged, refused } = await refusals(directory, trusted)

      expect(refused, `trusted: ${trusted}`).to.deep.equal([[damaged, 'BlockMismatchError']])
    }
  })

  /** Which block is damaged, and what a filesystem over the store says of which */
  async function refusals (directory: string, trusted: boolean): Promise<{ damaged: string, refused: string[][] }> {
    return withStore(directory, { trusted }, async store => {
      const { problems } = await store.verify()
      const answers = await Promise.allSettled(put.map(async ({ cid }) => blockReader(store).get(cid)))

      return {
        damaged: String(problems[0].cid),
        refused: answers.flatMap((answer, i) => answer.status === 'rejected' ? [[String(put[i].cid), String(answer.reason.name)]] : [])
      }
    })
  }
})
