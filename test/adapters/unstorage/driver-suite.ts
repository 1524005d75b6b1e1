import { expect } from 'aegir/chai'
import { createStorage, restoreSnapshot, snapshot } from 'unstorage'
import type { Driver, Storage, StorageValue } from 'unstorage'

/**
 * What unstorage expects of a driver, through its own storage: unstorage has such a suite, and does not publish it.
 */
export function driverSuite (name: string, create: () => Driver): void {
  describe(`unstorage on ${name}`, () => {
    let driver: Driver
    let storage: Storage

    beforeEach(() => {
      driver = create()
      storage = createStorage({ driver })
    })

    afterEach(async () => {
      await storage.dispose()
    })

    it('returns null for an absent item', async () => {
      expect(await storage.hasItem('absent')).to.equal(false)
      expect(await storage.getItem('absent')).to.equal(null)
      expect(await storage.getItemRaw('absent')).to.equal(null)
      expect(await storage.getKeys()).to.deep.equal([])
    })

    for (const value of ['a text', '', 'ü \u{1f600} \ufeff', 1, 0, -1.5, true, false, null, [], [1, 'a'], {}, { deep: { er: [null] } }]) {
      it(`gives back ${JSON.stringify(value)}`, async () => {
        await givesBack(value)
      })
    }

    it('returns JSON values unchanged', async () => {
      class Point {
        toJSON (): object {
          return { x: 1 }
        }
      }
      await storage.setItem('key', new Point())

      expect(await storage.getItem('key')).to.deep.equal({ x: 1 })
    })

    it('returns bytes of any length unchanged', async () => {
      for (const length of [0, 1, 2_048, 2_049, 100_000]) {
        const bytes = Uint8Array.from({ length }, (_, i) => i % 256)
        await storage.setItemRaw('bytes', bytes)

        expect(await storage.getItemRaw<Uint8Array>('bytes')).to.deep.equal(bytes)
      }
    })

    it('replaces an item, also by a shorter one', async () => {
      await storage.setItem('key', 'x'.repeat(5_000))
      await storage.setItem('key', 'y')

      expect(await storage.getItem('key')).to.equal('y')
    })

    it('treats slashes in keys as colons', async () => {
      await storage.setItem('/a/b', 1)

      expect(await storage.getItem('a:b')).to.equal(1)
      expect(await storage.getKeys()).to.deep.equal(['a:b'])
    })

    it('removes an item, and ignores an absent one', async () => {
      await storage.setItem('key', 1)
      await storage.removeItem('key')
      await storage.removeItem('key')

      expect(await storage.hasItem('key')).to.equal(false)
      expect(await storage.getItem('key')).to.equal(null)
    })

    it('removes an item set to undefined', async () => {
      await storage.setItem('key', 1)
      await storage.setItem('key', undefined as never)

      expect(await storage.hasItem('key')).to.equal(false)
    })

    it('sets and gets several at once', async () => {
      await storage.setItems<StorageValue>([{ key: 'a', value: 1 }, { key: 'b:c', value: 'text' }])
      const items = await storage.getItems(['a', 'b:c', 'absent'])

      expect(items.map(({ key, value }) => [key, value])).to.deep.equal([['a', 1], ['b:c', 'text'], ['absent', null]])
    })

    it('sets and gets many concurrently', async () => {
      const keys = Array.from({ length: 50 }, (_, i) => `k${i % 7}:${i}`)
      await Promise.all(keys.map(async key => storage.setItem(key, key)))

      expect(await Promise.all(keys.map(async key => storage.getItem(key)))).to.deep.equal(keys)
      await Promise.all(keys.map(async key => storage.removeItem(key)))
      expect(await storage.getKeys()).to.deep.equal([])
    })

    it('lists keys, all or those below a base', async () => {
      await set(['a', 'b:a', 'b:b:a', 'bb:a'])

      expect(await sorted(storage.getKeys())).to.deep.equal(['a', 'b:a', 'b:b:a', 'bb:a'])
      expect(await sorted(storage.getKeys('b'))).to.deep.equal(['b:a', 'b:b:a'])
      expect(await sorted(storage.getKeys('b:b'))).to.deep.equal(['b:b:a'])
      expect(await storage.getKeys('a')).to.deep.equal([])
      expect(await storage.getKeys('absent')).to.deep.equal([])
    })

    it('lists keys down to a depth', async () => {
      await set(['depth0', 'a:depth1', 'a:b:depth2', 'a:b:c:depth3'])

      expect(await sorted(storage.getKeys(undefined, { maxDepth: 0 }))).to.deep.equal(['depth0'])
      expect(await sorted(storage.getKeys(undefined, { maxDepth: 1 }))).to.deep.equal(['a:depth1', 'depth0'])
      expect(await sorted(storage.getKeys(undefined, { maxDepth: 2 }))).to.deep.equal(['a:b:depth2', 'a:depth1', 'depth0'])
      expect(await sorted(storage.getKeys('a', { maxDepth: 2 }))).to.deep.equal(['a:b:depth2', 'a:depth1'])
      expect(await storage.getKeys('a', { maxDepth: 0 })).to.deep.equal([])
    })

    it('clears everything', async () => {
      await set(['a', 'b:a', 'b:b:a'])
      await storage.clear()
      await storage.clear()

      expect(await storage.getKeys()).to.deep.equal([])
    })

    it('keeps user metadata', async () => {
      const mtime = new Date(1_700_000_000_000)
      await storage.setItem('key', 1)
      await storage.setMeta('key', { mtime, owner: 'ada' })

      expect(await storage.getMeta('key')).to.include({ owner: 'ada' })
      expect((await storage.getMeta('key')).mtime).to.deep.equal(mtime)
      expect(await storage.getKeys()).to.deep.equal(['key'])

      await storage.removeItem('key', { removeMeta: true })
      expect(await storage.getMeta('key')).to.not.have.property('owner')
    })

    it('returns no metadata for an absent item', async () => {
      expect(await storage.getMeta('absent')).to.deep.equal({})
    })

    it('can be mounted, also below another instance', async () => {
      await storage.setItem('own', 1)
      storage.mount('mnt', create())
      await storage.setItem('mnt:a', 'mounted')

      expect(await storage.getItem('mnt:a')).to.equal('mounted')
      expect(await driver.hasItem('mnt:a', {})).to.equal(false)
      expect(await sorted(storage.getKeys())).to.deep.equal(['mnt:a', 'own'])
      expect(await storage.getKeys('mnt')).to.deep.equal(['mnt:a'])

      await storage.unmount('mnt')
      expect(await storage.getItem('mnt:a')).to.equal(null)
    })

    it('can be saved to a snapshot and restored from one', async () => {
      await set(['s:a', 's:b:c', 't'])
      const saved = await snapshot(storage, 's')
      expect(saved).to.deep.equal({ a: 's:a', 'b:c': 's:b:c' })

      await storage.clear()
      await restoreSnapshot(storage, saved, 'new')
      expect(await snapshot(storage, 'new')).to.deep.equal(saved)
    })

    it('reports sets and removals to watchers until they stop', async () => {
      const seen: string[] = []
      const unwatch = await storage.watch((event, key) => {
        seen.push(`${event} ${key}`)
      })
      await storage.setItem('w:a', 1)
      await until(() => seen.includes('update w:a'))
      await storage.setItem('w:a', 2)
      await storage.removeItem('w:a')
      await until(() => seen.includes('remove w:a'))

      await unwatch()
      const before = seen.length
      await storage.setItem('w:b', 1)
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(seen.slice(before)).to.deep.equal([])
      expect(new Set(seen)).to.deep.equal(new Set(['update w:a', 'remove w:a']))
    })

    for (const key of ['..', '../a', 'a:..:b', 'a:..', '.', 'a:.:b']) {
      it(`refuses the key ${key}`, async () => {
        await refuses(key)
      })
    }

    async function givesBack (value: StorageValue): Promise<void> {
      await storage.setItem('key', value)

      expect(await storage.hasItem('key')).to.equal(true)
      expect(await storage.getItem('key')).to.deep.equal(value)
    }

    async function refuses (key: string): Promise<void> {
      await expect(storage.setItem(key, 1)).to.be.rejected()
      await expect(storage.getItem(key)).to.be.rejected()
    }

    async function set (keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        await storage.setItem(key, key)
      }
    }
  })
}

async function sorted (keys: Promise<string[]>): Promise<string[]> {
  return (await keys).sort()
}

async function until (isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}
