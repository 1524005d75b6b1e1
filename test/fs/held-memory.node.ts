import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { createBlock, dagCborCode, encodeEntry, encodeLeaf } from '../../src/codec/index.ts'
import { listEntries } from '../../src/directory/index.ts'
import { dagfs } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** MB that are in use once all garbage is collected. */
function usedMemory (): number {
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()

  return (heapUsed + arrayBuffers) / 1e6
}

describe('fs, memory use', () => {
  it('holds less than 20 MB for 30,000 small directories that were read', async () => {
    let block = await createBlock(dagCborCode, encodeLeaf([]))
    const reader = { get: async () => block }
    await all(listEntries(reader, { cid: block.cid }))
    const before = usedMemory()

    for (let i = 0; i < 30_000; i++) {
      block = await createBlock(dagCborCode, encodeLeaf([encodeEntry({ name: String(i), kind: 'symlink', content: 'a', size: 1 })]))
      await all(listEntries(reader, { cid: block.cid }))
    }

    expect(usedMemory() - before).to.be.below(20)
    expect(await all(listEntries(reader, { cid: block.cid }))).to.have.lengthOf(1)
  }).timeout(30_000)

  it('holds less than 10 MB for 50 files open on a view', async () => {
    const blockstore = new MemoryBlockstore()
    const fs = dagfs({ blockstore })
    await fs.addAll(Array.from({ length: 50 }, (_, i) => ({ path: `/${i}`, content: new Uint8Array(2 ** 20 + 1).fill(i) })))
    const view = fs.at((await fs.commit()).root)
    const handles = await Promise.all(Array.from({ length: 50 }, async (_, i) => view.open(`/${i}`)))
    giveCopies(blockstore)
    const before = usedMemory()

    for (const handle of handles) {
      await handle.read({ position: 0, length: 1 })
    }

    expect(usedMemory() - before).to.be.below(10)
    await Promise.all(handles.map(async handle => handle.close()))
  }).timeout(30_000)

  for (const [what, opened] of Object.entries({
    'filesystems on one store': (blockstore: MemoryBlockstore, root: CID) => dagfs({ blockstore }, { root }),
    'read-only filesystems on one store': (blockstore: MemoryBlockstore, root: CID) => dagfs({ blockstore }, { root, readonly: true }),
    'views of one filesystem': (blockstore: MemoryBlockstore, root: CID) => dagfs({ blockstore }).at(root)
  })) {
    it(`holds less than 10 MB for what 50 ${what} have read`, async () => {
      const blockstore = new MemoryBlockstore()
      const fs = dagfs({ blockstore })
      await fs.addAll(Array.from({ length: 50 }, (_, i) => ({ path: `/${i}`, content: new Uint8Array(2 ** 20 + 1).fill(i) })))
      const { root } = await fs.commit()
      giveCopies(blockstore)
      const before = usedMemory()
      const readers = Array.from({ length: 50 }, () => opened(blockstore, root))

      for (const [i, reader] of readers.entries()) {
        await using handle = await reader.open(`/${i}`)
        await handle.read({ position: 0, length: 1 })
      }

      expect(usedMemory() - before).to.be.below(10)
      expect(await readers[0].readdir('/')).to.have.lengthOf(50)
    }).timeout(30_000)
  }
})

/** As a store on a disk does */
function giveCopies (blockstore: MemoryBlockstore): void {
  const get = blockstore.get.bind(blockstore)
  blockstore.get = async function * (...args) {
    for await (const bytes of get(...args)) {
      yield bytes.slice()
    }
  }
}
