import { readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import { CID } from 'multiformats/cid'
import { commitMagic } from '../../src/pack/format/record.ts'
import { block, blocks, bytesOf, Directories, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackBlockstore, ScanBlocksOptions } from '../../src/pack/index.ts'

describe('scanning a pack store', () => {
  const directories = new Directories()
  let put: TestBlock[]

  before(async () => {
    const large = [await block(bytesOf(1, 2 ** 21)), await block(bytesOf(2, 70_000)), await block(new Uint8Array(0))]
    // a codec of two bytes, and a block that begins as our records do
    const rare = [await block(dagCbor.encode([]), 0x0129), await block(commitMagic, 0x55), await block(bytesOf(3, 127 - 36)), await block(bytesOf(4, 128 - 36))]
    put = [...await blocks(300, 340, 100), ...large, ...rare, ...await blocks(300, 1_000, 1_000)]
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function fill (store: PackBlockstore): Promise<void> {
    for (const [i, { cid, bytes }] of put.entries()) {
      await store.put(cid, bytes)

      if (i % 100 === 99) {
        await store.sync()
      }
    }
  }

  async function scanned (store: PackBlockstore, options: ScanBlocksOptions): Promise<Array<{ cid: string, bytes: Buffer }>> {
    const found: Array<{ cid: string, bytes: Buffer }> = []

    for await (const batch of store.scan(options)) {
      for (let i = 0; i < batch.length; i++) {
        found.push({ cid: String(batch.cid(i)), bytes: Buffer.from(batch.data(i)) })
      }
    }

    return found
  }

  function expectAsPut (found: ReadonlyArray<{ cid: string, bytes: Buffer }>): void {
    expect(found.map(({ cid }) => cid)).to.deep.equal(put.map(({ cid }) => String(cid)))
    expect(found.every(({ bytes }, i) => Buffer.compare(bytes, put[i].bytes) === 0)).to.equal(true)
  }

  for (const readBytes of [1_000, 1_024, 65_536, 65_537, 2 ** 20, 2 ** 22]) {
    it(`returns every block in log order, without records, with reads of ${readBytes} bytes`, async () => {
      await withStore(await directories.make(), { segmentBytes: 2 ** 20 }, async store => {
        await fill(store)
        const found = await scanned(store, { readBytes })

        expectAsPut(found)
      })
    })
  }

  it('returns the same to a reader', async () => {
    const directory = await directories.make()
    await withStore(directory, {}, async store => {
      await fill(store)
      await store.sync()

      await withStore(directory, { readonly: true }, async reader => {
        expect(await scanned(reader, {})).to.have.lengthOf(put.length)
      })
    })
  })

  it('includes deleted blocks, and ends for an empty store', async () => {
    await withStore(await directories.make(), {}, async store => {
      expect(await scanned(store, {})).to.deep.equal([])
      await store.put(put[0].cid, put[0].bytes)
      await store.delete(put[0].cid)
      expect(await scanned(store, {})).to.have.lengthOf(1)
    })
  })

  it('fails at a damaged or missing segment, and names it', async () => {
    const directory = await directories.make()
    const options = { segmentBytes: 2 ** 20 }
    await withStore(directory, options, fill)
    const path = join(directory, 'segment-00000001.car')
    const bytes = await readFile(path)
    bytes[bytes.indexOf(put[10].cid.bytes)] = 2
    await writeFile(path, bytes)

    await withStore(directory, options, async store => {
      await expect(scanned(store, {})).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
      await unlink(path)
    })
    await withStore(directory, { ...options, readonly: true }, async store => {
      await expect(scanned(store, {})).to.eventually.be.rejected.with.property('path', path)
    })
  })

  it('refuses read sizes out of range', async () => {
    await withStore(await directories.make(), {}, async store => {
      await expect(scanned(store, { readBytes: 0 })).to.eventually.be.rejected.with.property('option', 'readBytes')
      await expect(scanned(store, { readBytes: 2 ** 27 })).to.eventually.be.rejected.with.property('option', 'readBytes')
    })
  })

  it('ends when aborted', async () => {
    await withStore(await directories.make(), {}, async store => {
      await fill(store)
      await expect(scanned(store, { readBytes: 1_000, signal: AbortSignal.abort() })).to.eventually.be.rejected.with.property('name', 'AbortError')
    })
  })

  it('returns CIDs that outlive the next step\'s buffer', async () => {
    await withStore(await directories.make(), {}, async store => {
      await fill(store)
      const cids: CID[] = []

      for await (const batch of store.scan({ readBytes: 10_000 })) {
        cids.push(batch.cid(0))
      }

      expect(put.map(({ cid }) => String(cid))).to.include.members(cids.map(String))
    })
  })
})
