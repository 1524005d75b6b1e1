import { expect } from 'aegir/chai'
import { MemoryDatastore } from 'datastore-core'
import { Key } from 'interface-datastore/key'
import all from 'it-all'
import { datastoreRoots, memoryRoots } from '../../src/index.ts'
import { rootStoreSuite } from './suite.ts'

rootStoreSuite('memory', () => {
  const roots = memoryRoots()

  return { roots, others: roots, close: () => {} }
})

rootStoreSuite('a datastore, through two handles of one process', () => {
  const datastore = new MemoryDatastore()

  return { roots: datastoreRoots(datastore), others: datastoreRoots(datastore), close: () => {} }
})

describe('datastoreRoots', () => {
  it('leaves other keys of the datastore alone', async () => {
    const datastore = new MemoryDatastore()
    await datastore.put(new Key('/pin/a'), Uint8Array.of(1))
    const roots = datastoreRoots(datastore)
    await roots.compareAndSet('a', undefined, Uint8Array.of(2))

    expect(await all(roots.names())).to.deep.equal(['a'])
    expect(await datastore.get(new Key('/pin/a'))).to.deep.equal(Uint8Array.of(1))
  })

  it('cannot remove names if the datastore cannot delete, and says so', async () => {
    const datastore = new MemoryDatastore()
    const roots = datastoreRoots({ get: datastore.get.bind(datastore), put: datastore.put.bind(datastore), queryKeys: datastore.queryKeys.bind(datastore) })
    await roots.compareAndSet('a', undefined, Uint8Array.of(1))

    await expect(roots.compareAndSet('a', Uint8Array.of(1), undefined)).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'datastore' })
    expect(await roots.get('a')).to.deep.equal(Uint8Array.of(1))
  })

  it('refuses what is not a datastore', () => {
    for (const given of [undefined, {}, new Map()]) {
      expect(() => datastoreRoots(given as never)).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'datastore' })
    }
  })

  it('passes on errors of the datastore', async () => {
    const datastore = new MemoryDatastore()
    datastore.get = () => { throw new Error('the disk is gone') }

    await expect(datastoreRoots(datastore).get('a')).to.eventually.be.rejectedWith('the disk is gone')
  })
})
