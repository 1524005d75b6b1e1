import { expect } from 'aegir/chai'
import all from 'it-all'
import { maxChanges } from '../../src/pack/catalog.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { mountDisk } from '../mount-disk.ts'
import { blocks, Directories, numberedBlock, readBlock, withStore } from './stores.ts'

describe('a pack store on a disk that is full', function () {
  this.timeout(60_000)
  const directories = new Directories()
  const mounted: Array<() => void> = []

  afterEach(async () => {
    mounted.splice(0).forEach(unmount => { unmount() })
    await directories.removeAll()
  })

  /** A directory on a disk of its own; undefined where this user may not have one */
  async function disk (size: string): Promise<string | undefined> {
    const directory = await directories.make()
    const unmount = mountDisk(directory, size)

    if (unmount === undefined) {
      return
    }

    mounted.push(unmount)

    return directory
  }

  it('says so, and has the last root that it has answered for, whoever opens it', async function () {
    const directory = await disk('1m')

    if (directory === undefined) {
      this.skip()
      return
    }

    const put = await blocks(40, 100_000)
    let acknowledged = 0
    let failure: unknown
    const store = new PackBlockstore(directory)
    await store.open()

    try {
      for (const { cid, bytes } of put) {
        await store.put(cid, bytes)
        await store.roots.compareAndSet('main', acknowledged === 0 ? undefined : Uint8Array.of(acknowledged), Uint8Array.of(acknowledged + 1))
        acknowledged++
      }
    } catch (err) {
      failure = err
    }

    expect(failure).to.have.property('code', 'ENOSPC')
    expect(acknowledged).to.be.within(4, 10)
    await expect(store.close()).to.eventually.be.rejected.with.property('code', 'ENOSPC')

    for (const readonly of [true, false]) {
      await withStore(directory, { readonly }, async opened => {
        expect(await opened.roots.get('main')).to.deep.equal(Uint8Array.of(acknowledged))

        for (const { cid, bytes } of put.slice(0, acknowledged)) {
          expect(await readBlock(opened, cid)).to.deep.equal(bytes)
        }

        expect((await opened.verify()).problems).to.deep.equal([])
      })
    }
  })

  it('does without its index, where there is room for the log alone', async function () {
    // 4 MB of the log, and more of an index
    const count = 2 * maxChanges
    const directory = await disk('5m')

    if (directory === undefined) {
      this.skip()
      return
    }

    await withStore(directory, {}, async store => {
      for (let number = 0; number < count; number++) {
        const { cid, bytes } = numberedBlock(number)
        await store.put(cid, bytes)
      }

      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })

    for (const readonly of [true, false]) {
      await withStore(directory, { readonly }, async opened => {
        expect(await opened.roots.get('main')).to.deep.equal(Uint8Array.of(1))
        expect(await all(opened.getAll())).to.have.lengthOf(count)

        for (let number = 0; number < count; number += 997) {
          const { cid, bytes } = numberedBlock(number)
          expect(await readBlock(opened, cid)).to.deep.equal(bytes)
        }
      })
    }
  })
})
