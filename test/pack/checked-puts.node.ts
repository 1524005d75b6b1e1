import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CarIndexer } from '@ipld/car/indexer'
import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { dagfs } from '../../src/index.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { blocks, bytesOf, Directories, numberedBlock, readBlock, withStore } from './stores.ts'

interface Commit {
  readonly 'dagfs-commit'?: { readonly at: readonly [number, number], readonly from: number, readonly digest: Uint8Array }
}

describe('the blocks covered by a commit record of a pack store', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('are the heads of its range as in PACK.md, computed independently', async () => {
    const directory = await directories.make()
    await withStore(directory, {}, async store => {
      await all(store.putMany([...await blocks(300, 10), ...await blocks(3, 2_000_000)]))
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
      await all(store.putMany(await blocks(2, 200, 500)))
      await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
    })
    const segment = await readFile(join(directory, 'segment-00000001.car'))
    const sections = await all(await CarIndexer.fromBytes(segment))
    let vouchedFor = 0
    let records = 0

    for (const { blockOffset, blockLength } of sections) {
      const record = decode(segment.subarray(blockOffset, blockOffset + blockLength))

      if (record !== undefined) {
        const { from, at: [, to] } = record
        const head = from === 0 ? segment.subarray(0, sections[0].blockOffset + sections[0].blockLength) : new Uint8Array(0)
        const heads = sections
          .filter(({ offset }) => offset >= from + head.byteLength && offset < to)
          .map(section => segment.subarray(section.offset, section.blockOffset))

        expect(from).to.equal(vouchedFor)
        expect(Buffer.from(record.digest)).to.deep.equal(hash('sha256', Buffer.concat([head, ...heads]), 'buffer'))
        vouchedFor = blockOffset + blockLength
        records++
      }
    }

    expect(vouchedFor).to.equal(segment.byteLength)
    // the first, one for each root, and the one that closing leaves
    expect(records).to.be.at.least(4)
  })

  for (const [name, length] of [['a small block', 100], ['a block that the thread pool hashes', 300_000]] as const) {
    it(`never include ${name} that does not match its CID`, async () => {
      const directory = await directories.make()
      const [right, other] = [numberedBlock(1, length), numberedBlock(2, length)]

      await withStore(directory, {}, async store => {
        for (const wrong of [other.bytes, [other.bytes], [right.bytes, other.bytes]]) {
          await expect((async () => store.put(right.cid, wrong))()).to.eventually.be.rejected()
            .with.property('name', 'BlockMismatchError')
        }

        expect(await store.has(right.cid)).to.equal(false)
        await store.put(right.cid, right.bytes)
        expect(await readBlock(store, right.cid)).to.deep.equal(right.bytes)
        expect((await store.verify()).problems).to.deep.equal([])
      })
    })
  }

  it('never include a block that was modified during its put', async () => {
    await withStore(await directories.make(), {}, async store => {
      let stored = 0

      for (let turns = 0; turns < 20; turns++) {
        const put = numberedBlock(turns, 1_000_000)
        const bytes = put.bytes.slice()
        const putting = Promise.resolve(store.put(put.cid, bytes)).then(() => true, () => false)
        await microtasks(turns)
        bytes.fill(7)

        if (await putting) {
          stored++
          expect(Buffer.compare(await readBlock(store, put.cid), put.bytes)).to.equal(0)
        }
      }

      expect(stored).to.be.within(1, 19)
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('include no block whose CID is not minimally encoded', async () => {
    const put = numberedBlock(1)
    // numbers that are longer than they need be, as some decoders accept them: the hash's code, and the codec
    const [, , ...digest] = put.cid.multihash.bytes
    const longHash = new Uint8Array([0x92, 0x00, 0x20, ...digest])
    const cids = [
      CID.createV1(0x55, new Digest.Digest(0x12, 32, longHash.subarray(3), longHash)),
      new CID(1, 0x55, put.cid.multihash, new Uint8Array([1, 0xd5, 0x00, ...put.cid.multihash.bytes]))
    ]
    const directory = await directories.make()

    await withStore(directory, {}, async store => {
      for (const cid of cids) {
        await expect((async () => store.put(cid, put.bytes))()).to.eventually.be.rejected()
          .with.property('name', 'UnsupportedHashError')
        expect(await store.has(cid)).to.equal(false)
      }

      await store.put(put.cid, put.bytes)
      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('include the matching block if concurrent puts differ', async () => {
    const [right, wrong] = [numberedBlock(1, 1_900_000), numberedBlock(2, 1_900_000)]
    const directory = await directories.make()

    await withStore(directory, {}, async store => {
      const puts = await Promise.allSettled(Array.from({ length: 30 }, async (_, i) => store.put(right.cid, (i % 3 === 0 ? wrong : right).bytes)))
      // those who come later find it there, and their bytes are not looked at
      const failed = puts.flatMap((put, i) => put.status === 'rejected' ? [i] : [])

      expect(failed).to.deep.equal([0])
      expect(await readBlock(store, right.cid)).to.deep.equal(right.bytes)
      expect((await store.verify()).blocks).to.equal(1)
    })
  })

  for (const times of [1, 5]) {
    it(`include no block put during close, nor report it as stored, ${times} at once`, async () => {
      for (let turns = 0; turns < 12; turns++) {
        const directory = await directories.make()
        const store = new PackBlockstore(directory)
        await store.open()
        const { cid, bytes } = numberedBlock(turns, 1_900_000)
        const putting = Promise.allSettled(Array.from({ length: times }, async () => store.put(cid, bytes)))
        await microtasks(turns)
        await store.close()
        const puts = await putting
        const refused = puts.flatMap(put => put.status === 'rejected' ? [(put.reason as Error).name] : [])

        expect(refused.filter(name => name !== 'StoreStateError')).to.deep.equal([])
        await withStore(directory, {}, async again => {
          expect(await again.has(cid)).to.equal(refused.length < times)
        })
      }
    })
  }

  it('include no content of a forged adapter entry', async () => {
    const memory = bytesOf(1, 2 ** 20)

    await withStore(await directories.make(), {}, async store => {
      const content = (async function * () {
        for (let i = 0; i < 20; i++) {
          yield memory.fill(i)
        }
      })()
      const wrong = { bytes: bytesOf(2, 10_000), digest: new Uint8Array(32) }

      for (const entry of [{ onStored: undefined, content }, { hashed: wrong, content: wrong.bytes }]) {
        await expect(dagfs({ blockstore: store }).addAll([{ path: '/a', kind: 'file', ...entry }])).to.eventually.be.rejected()
          .with.property('name', 'BlockMismatchError')
      }

      expect((await store.verify()).problems).to.deep.equal([])
    })
  })

  it('include no content that its source modifies later', async () => {
    const memory = bytesOf(1, 2 ** 20)

    await withStore(await directories.make(), {}, async store => {
      const fs = dagfs({ blockstore: store })
      await expect(fs.writeFile('/a', (async function * () {
        for (let i = 0; i < 20; i++) {
          yield memory.fill(i)
        }
      })())).to.eventually.be.rejected()
        .with.property('name', 'BlockMismatchError')
      await fs.writeFile('/b', 'b')
      await fs.commit()

      expect((await store.verify()).problems).to.deep.equal([])
    })
  })
})

function decode (block: Uint8Array): Commit['dagfs-commit'] {
  try {
    return dagCbor.decode<Commit>(block)['dagfs-commit']
  } catch {
    // a block of random bytes
  }
}

async function microtasks (count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    await Promise.resolve()
  }
}
