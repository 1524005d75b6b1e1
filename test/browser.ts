import { expect } from 'aegir/chai'
import { IDBBlockstore } from 'blockstore-idb'
import { deleteDB } from 'idb'
import { indexedDbRoots } from '../src/index.ts'
import { fileSystemSuite } from './fs/suite.ts'
import { rootStoreSuite } from './roots/suite.ts'

fileSystemSuite('IDBBlockstore', async () => {
  const blockstore = new IDBBlockstore(`dagfs-${Math.random()}`)
  await blockstore.open()

  return {
    blockstore,
    async close () {
      await blockstore.close()
      await blockstore.destroy()
    }
  }
})

rootStoreSuite('IndexedDB, through two connections', () => {
  const database = `dagfs-roots-${Math.random()}`
  const roots = indexedDbRoots(database)
  const others = indexedDbRoots(database)

  return {
    roots,
    others,
    async close () {
      await roots.close()
      await others.close()
      await deleteDB(database)
    }
  }
})

describe('indexedDbRoots', () => {
  it('does not block deletion of the database, and reopens', async () => {
    const database = `dagfs-roots-${Math.random()}`
    const roots = indexedDbRoots(database)
    await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    await deleteDB(database)

    expect(await roots.get('site')).to.equal(undefined)
    await roots.close()
    await deleteDB(database)
  })

  it('refuses a foreign database, and leaves it unchanged', async () => {
    const database = `dagfs-roots-${Math.random()}`
    const blockstore = new IDBBlockstore(database)
    await blockstore.open()
    const roots = indexedDbRoots(database)

    await expect(roots.get('site')).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'database' })
    await expect(roots.compareAndSet('site', undefined, Uint8Array.of(1))).to.eventually.be.rejected.with.property('code', 'ERR_INVALID_OPTION')
    await roots.close()
    await blockstore.close()
    await blockstore.destroy()
  })

  it('refuses an invalid database name', () => {
    for (const given of [undefined, 1, {}]) {
      expect(() => indexedDbRoots(given as never)).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'database' })
    }
  })
})
