import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { createStorage } from 'unstorage'
import memory from 'unstorage/drivers/memory'
import { dagfsDriver } from '../../../src/adapters/unstorage/index.ts'
import { dagfs, memoryRoots } from '../../../src/index.ts'
import { driverSuite } from './driver-suite.ts'
import type { DagFs } from '../../../src/index.ts'

function open (): DagFs {
  return dagfs({ blockstore: new MemoryBlockstore() })
}

// the suite holds for a driver of unstorage's own, so it asks for nothing that unstorage does not
driverSuite("unstorage's memory", () => memory())

driverSuite('dagfs', () => dagfsDriver({ fs: open() }))
driverSuite('a directory of dagfs', () => dagfsDriver({ fs: open(), base: '/data/items/' }))
driverSuite('dagfs, with a commit for each change', () => dagfsDriver({ fs: open(), commit: 'each' }))

describe('the unstorage driver', () => {
  let fs: DagFs

  beforeEach(() => {
    fs = open()
  })

  it('stores items as files, committed to the tree', async () => {
    const storage = createStorage({ driver: dagfsDriver({ fs, base: '/data' }) })
    await storage.setItem('users:ada', { name: 'Ada' })
    const { root } = await fs.commit()

    expect(await fs.at(root).readFile('/data/users/ada', 'utf8')).to.equal('{"name":"Ada"}')
  })

  it('gives equal roots for equal items, whatever the order of edits', async () => {
    const one = dagfsDriver({ fs })
    await one.setItem('a:b:c', '1')
    await one.setItem('x', '2')
    await one.setItem('d:e:f', '3')
    await one.removeItem('a:b:c')
    await one.clear('d')

    const other = open()
    await dagfsDriver({ fs: other }).setItem('x', '2')

    expect(String((await fs.commit()).root)).to.equal(String((await other.commit()).root))
  })

  it('commits before it resolves with `commit: \'each\'`, several items at once', async () => {
    let commits = 0
    const { commit } = fs
    fs.commit = async options => {
      commits++
      return commit.call(fs, options)
    }
    const storage = createStorage({ driver: dagfsDriver({ fs, commit: 'each' }) })
    await storage.setItems([{ key: 'a', value: 1 }, { key: 'b', value: 2 }])
    await storage.setItem('c', 3)
    await storage.removeItem('a')
    await storage.clear()

    expect(commits).to.equal(4)
  })

  it('does not commit by default', async () => {
    const before = (await fs.commit()).root
    await createStorage({ driver: dagfsDriver({ fs }) }).setItem('a', 1)

    expect(await all(fs.at(before).ls())).to.deep.equal([])
  })

  it('clears items below a prefix, or all', async () => {
    const driver = dagfsDriver({ fs })
    await driver.setItems(['a', 'b:a', 'b:b:a', 'bb:a'].map(key => ({ key, value: key })))
    await driver.clear('b:')
    expect(await driver.getKeys()).to.deep.equal(['a', 'bb:a'])

    await driver.clear('absent')
    await driver.clear()
    expect(await driver.getKeys()).to.deep.equal([])
  })

  it('returns its filesystem', () => {
    expect(dagfsDriver({ fs }).getInstance()).to.equal(fs)
  })

  it('returns sizes, times and CIDs as metadata', async () => {
    const clocked = dagfs({ blockstore: new MemoryBlockstore() }, { clock: () => new Date(1_700_000_000_000) })
    const driver = dagfsDriver({ fs: clocked })
    await driver.setItemRaw('large', new Uint8Array(3_000))
    await clocked.commit()

    expect(await driver.getMeta('large')).to.deep.equal({
      size: 3_000,
      mtime: new Date(1_700_000_000_000),
      cid: String((await clocked.stat('/large')).cid)
    })
    await dagfsDriver({ fs }).setItem('small', 'x')
    expect(await dagfsDriver({ fs }).getMeta('small')).to.deep.equal({ size: 1 })
    expect(await dagfsDriver({ fs }).getMeta('absent')).to.equal(null)
  })

  it('stores buffers, views, blobs and streams as raw bytes', async () => {
    const driver = dagfsDriver({ fs })
    const bytes = Uint8Array.of(1, 2, 3)
    const values = [bytes.buffer, new DataView(bytes.buffer), new Blob([bytes]), new Blob([bytes]).stream()]

    for (const value of values) {
      await driver.setItemRaw('raw', value)
      expect(await driver.getItemRaw('raw')).to.deep.equal(bytes)
    }
  })

  it('reports renames, removed directories and edits of others to watchers', async () => {
    const driver = dagfsDriver({ fs, base: '/data' })
    await driver.setItems(['a:x', 'a:b:y', 'z'].map(key => ({ key, value: key })))
    const seen: string[] = []
    const unwatch = await driver.watch((event, key) => seen.push(`${event} ${key}`))

    await fs.rename('/data/a', '/data/c')
    await fs.appendFile('/data/z', 'more')
    await fs.writeFile('/outside', '')
    await fs.rm('/data/c', { recursive: true })

    while (!seen.includes('remove a:b:y')) {
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    await new Promise(resolve => setTimeout(resolve, 20))
    await unwatch()

    expect(seen).to.include.members(['remove a:x', 'remove a:b:y', 'update z'])
    expect(seen.filter(text => /outside| [ac]$/.test(text))).to.deep.equal([])
    expect(await driver.getKeys()).to.deep.equal(['z'])
  })

  it('reports each of many concurrent items to watchers', async () => {
    const driver = dagfsDriver({ fs, base: '/data' })
    await driver.setItem('old', '1')
    const seen = new Set<string>()
    const unwatch = await driver.watch((event, key) => seen.add(`${event} ${key}`))
    // more than are kept, so that it has to look again
    await fs.addAll(Array.from({ length: 20_000 }, (_, i) => ({ path: `/data/${i}`, content: '1' })))
    await driver.removeItem('old')

    while (seen.size < 20_001) {
      await new Promise(resolve => setTimeout(resolve, 1))
    }

    // and it goes on
    await driver.setItem('new', '1')

    while (!seen.has('update new')) {
      await new Promise(resolve => setTimeout(resolve, 1))
    }

    await unwatch()
    expect(seen).to.include('remove old')
  }).timeout(20_000)

  const bases = ['/', '/data', '/some/data']

  bases.forEach(base => {
    it(`gives equal roots for equal items, watched or not, at ${base}`, async () => {
      const { root } = await fs.commit()
      const driver = dagfsDriver({ fs, base })
      const unwatch = await driver.watch(() => {})

      expect((await fs.commit()).root).to.deep.equal(root)
      await driver.setItem('a:b', '1')
      const { root: withItem } = await fs.commit()
      await driver.setItem('c:d', '1')
      await driver.removeItem('c:d')
      expect((await fs.commit()).root).to.deep.equal(withItem)
      await driver.removeItem('a:b')
      expect((await fs.commit()).root).to.deep.equal(root)
      await driver.setItem('a', '1')
      await driver.clear()
      expect((await fs.commit()).root).to.deep.equal(root)
      await unwatch()
    })
  })

  it('merges and commits with \'each\' after a concurrent commit', async () => {
    const [blockstore, roots] = [new MemoryBlockstore(), memoryRoots()]
    const [a, b] = [0, 1].map(() => dagfsDriver({ fs: dagfs({ blockstore }, { name: 'items', roots }), commit: 'each' }))
    await a.setItem('same', 'a')
    await b.setItem('same', 'b')
    await b.setItem('b', '1')
    await a.setItem('a', '1')
    await Promise.all([a.setItem('x', '1'), b.setItem('y', '1')])
    await a.setItem('z', '1')

    const later = dagfsDriver({ fs: dagfs({ blockstore }, { name: 'items', roots }) })
    expect(await later.getKeys()).to.deep.equal(['a', 'b', 'same', 'x', 'y', 'z'])
    expect(await later.getItem('same')).to.equal('b')
  })

  it('omits files whose path is not a key', async () => {
    await fs.addAll([{ path: '/a:b', content: '' }, { path: '/c?', content: '' }, { path: '/d\\e/f', content: '' }, { path: '/g', content: '' }])

    expect(await dagfsDriver({ fs }).getKeys()).to.deep.equal(['g'])
  })

  it('has no item at a directory or below an item', async () => {
    const driver = dagfsDriver({ fs })
    await driver.setItem('a:b', '1')

    for (const key of ['a', 'a:b:c']) {
      expect(await driver.hasItem(key)).to.equal(false)
      expect(await driver.getItem(key)).to.equal(null)
      expect(await driver.getMeta(key)).to.equal(null)
    }
    await expect(driver.setItem('a', '')).to.eventually.be.rejected().with.property('code', 'EISDIR')
    await expect(driver.setItem('a:b:c', '')).to.eventually.be.rejected().with.property('code', 'EEXIST')
    expect(await driver.getKeys()).to.deep.equal(['a:b'])
  })

  it('distinguishes a read failure from an absent item', async () => {
    const blockstore = new MemoryBlockstore()
    const driver = dagfsDriver({ fs: dagfs({ blockstore }) })
    await driver.setItem('a', 'x'.repeat(3_000))
    const { cid } = await dagfs({ blockstore }, { root: (await driver.getInstance().commit()).root }).stat('/a')
    await blockstore.delete(cid ?? expect.fail('a block was stored'))

    await expect(driver.getItem('a')).to.eventually.be.rejected().with.property('name', 'NotFoundError')
  })

  for (const key of ['', 'a:', ':a', 'a::b', '..', 'a:..', '.:a', 'a/b', 'a\0', '\ud800', 'x'.repeat(256)]) {
    it(`refuses the key ${JSON.stringify(key.slice(0, 5))}`, async () => {
      await refuses(key)
    })
  }

  async function refuses (key: string): Promise<void> {
    const driver = dagfsDriver({ fs })

    for (const use of [driver.hasItem(key), driver.getItem(key), driver.setItem(key, ''), driver.removeItem(key), driver.getMeta(key)]) {
      await expect(use).to.eventually.be.rejected().with.property('code', 'EINVAL')
    }
  }

  it('refuses unknown options and invalid values', () => {
    const refused: Array<[options: object, option: string]> = [
      [{ fs, bse: '/' }, 'bse'],
      [{ fs, commit: 'never' }, 'commit'],
      [{ fs: {} }, 'fs'],
      [{}, 'fs']
    ]

    for (const [options, option] of refused) {
      expect(() => dagfsDriver(options as { fs: DagFs })).to.throw().that.includes({ name: 'InvalidOptionError', option })
    }
  })
})
