import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../src/pack/index.ts'
import { killChild, startChild, until } from './publishing-child.ts'
import { block, bytesOf, Directories, readBlock, withStore } from './stores.ts'

function rootOf (value: Uint8Array | undefined): number {
  return value === undefined ? 0 : new Float64Array(value.slice().buffer)[0]
}

describe('a pack store and other processes', function () {
  this.timeout(120_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('refuses a second writer, and allows readers beside a writer', async () => {
    const directory = await directories.make()
    const running = startChild(directory, 0)

    try {
      await until(() => running.said() > 0)
      await expect(new PackBlockstore(directory).open()).to.eventually.be.rejected.with.property('name', 'StoreLockedError')

      await withStore(directory, { readonly: true }, async reader => {
        const seen = rootOf(await reader.roots.get('main'))
        expect(seen).to.be.at.least(1)

        for (let i = 0; i < 5; i++) {
          const said = running.said()
          await until(() => running.said() > said)
          const root = rootOf(await reader.roots.get('main'))
          expect(root).to.be.at.least(said)
          const { cid, bytes } = await block(bytesOf(root * 10 + 9, 3_000))
          expect(Buffer.compare(await readBlock(reader, cid), bytes)).to.equal(0)
        }
      })
    } finally {
      await killChild(running)
    }
  })

  it('takes nothing from another writer after losing its lock to a copy', async () => {
    const directory = await directories.make()
    const store = new PackBlockstore(directory)
    await store.open()
    await store.roots.compareAndSet('main', undefined, new Uint8Array(Float64Array.of(1).buffer))
    // a system's locks end when the process closes any descriptor of their file
    await readFile(join(directory, 'lock.sqlite'))
    const running = startChild(directory, 1)

    try {
      await until(() => running.said() > 1)
    } finally {
      await killChild(running)
    }

    await expect(store.roots.compareAndSet('other', undefined, new Uint8Array(8))).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    await store.close()

    await withStore(directory, {}, async opened => {
      expect(rootOf(await opened.roots.get('main'))).to.be.at.least(running.said())
      expect((await opened.verify()).problems).to.deep.equal([])
    })
  })
})
