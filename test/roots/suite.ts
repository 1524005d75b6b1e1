import { expect } from 'aegir/chai'
import fc from 'fast-check'
import all from 'it-all'
import type { RootStore } from '../../src/index.ts'
import '../seed.ts'

/** A store of roots that is open, another handle on the same roots, and how both are closed and removed. */
export interface OpenRoots {
  readonly roots: RootStore
  readonly others: RootStore
  close(): Promise<void> | void
}

const names = ['site', 'nul\0a', 'nul\0b', 'Site', 'a/b', '..', '', ' ', '\u{1f600}', '\ufeffmark', 'n'.repeat(128)]

/**
 * What holds for every store of roots.
 */
export function rootStoreSuite (name: string, open: () => Promise<OpenRoots> | OpenRoots): void {
  describe(`roots in ${name}`, () => {
    let roots: RootStore
    let others: RootStore
    let close: OpenRoots['close']

    beforeEach(async () => {
      ({ roots, others, close } = await open())
    })

    afterEach(async () => {
      await close()
    })

    it('has no record under an unset name', async () => {
      expect(await roots.get('site')).to.equal(undefined)
      expect(await all(roots.names())).to.deep.equal([])
    })

    it('returns what was set, also through other handles', async () => {
      expect(await roots.compareAndSet('site', undefined, Uint8Array.of(1, 2))).to.equal(true)

      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1, 2))
      expect(await others.get('site')).to.deep.equal(Uint8Array.of(1, 2))
    })

    it('sets a record that matches the expected one', async () => {
      await roots.compareAndSet('site', undefined, Uint8Array.of(1))

      expect(await others.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.equal(true)
      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(2))
    })

    const expectations: Array<[title: string, expected: Uint8Array | undefined]> = [
      ['nothing', undefined],
      ['another record', Uint8Array.of(2)],
      ['a longer one', Uint8Array.of(1, 0)],
      ['a shorter one', new Uint8Array(0)]
    ]

    expectations.forEach(([title, expected]) => {
      it(`keeps a record if ${title} is expected`, async () => {
        await roots.compareAndSet('site', undefined, Uint8Array.of(1))

        expect(await others.compareAndSet('site', expected, Uint8Array.of(3))).to.equal(false)
        expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1))
      })
    })

    it('sets nothing if a record is expected and absent', async () => {
      expect(await roots.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.equal(false)
      expect(await roots.get('site')).to.equal(undefined)
    })

    it('removes a name, also for other handles', async () => {
      await roots.compareAndSet('site', undefined, Uint8Array.of(1))
      await roots.compareAndSet('other', undefined, Uint8Array.of(2))

      expect(await others.compareAndSet('site', Uint8Array.of(1), undefined)).to.equal(true)
      expect(await roots.get('site')).to.equal(undefined)
      expect(await all(roots.names())).to.deep.equal(['other'])
    })

    it('sets a removed name again if nothing is expected', async () => {
      await roots.compareAndSet('site', undefined, Uint8Array.of(1))
      await roots.compareAndSet('site', Uint8Array.of(1), undefined)

      expect(await others.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.equal(false)
      expect(await others.compareAndSet('site', undefined, Uint8Array.of(2))).to.equal(true)
      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(2))
    })

    it('removes nothing if another record is expected', async () => {
      await roots.compareAndSet('site', undefined, Uint8Array.of(1))

      expect(await roots.compareAndSet('site', undefined, undefined)).to.equal(false)
      expect(await roots.compareAndSet('site', Uint8Array.of(2), undefined)).to.equal(false)
      expect(await others.get('site')).to.deep.equal(Uint8Array.of(1))
    })

    it('reports success for a name already removed as expected', async () => {
      expect(await roots.compareAndSet('site', undefined, undefined)).to.equal(true)
      expect(await roots.compareAndSet('site', Uint8Array.of(1), undefined)).to.equal(false)
      expect(await all(roots.names())).to.deep.equal([])
    })

    it('removes names during a listing', async () => {
      for (const key of ['a', 'b', 'c']) {
        await roots.compareAndSet(key, undefined, Uint8Array.of(1))
      }

      for await (const key of roots.names()) {
        await roots.compareAndSet(key, Uint8Array.of(1), undefined)
      }

      expect(await all(others.names())).to.deep.equal([])
    })

    it('refuses names that are not well-formed or not text', async () => {
      for (const key of ['a\ud800', '\udc00', 1, undefined] as string[]) {
        for (const use of [roots.get(key), roots.compareAndSet(key, undefined, Uint8Array.of(1))]) {
          await expect(use).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'name' })
        }
      }
    })

    it('refuses a record that is not bytes', async () => {
      for (const record of ['text', null, [1]] as unknown as Uint8Array[]) {
        await expect(roots.compareAndSet('site', undefined, record)).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'next' })
      }
    })

    it('stores the bytes of a view, not its whole buffer', async () => {
      await roots.compareAndSet('site', undefined, new Uint8Array(1_000_000).subarray(7, 9))

      expect((await others.get('site'))?.buffer.byteLength).to.be.at.most(64)
    })

    it('distinguishes any two names', async () => {
      for (const [i, key] of names.entries()) {
        expect(await roots.compareAndSet(key, undefined, Uint8Array.of(i)), key).to.equal(true)
      }

      expect((await all(others.names())).sort()).to.deep.equal([...names].sort())
      expect(await Promise.all(names.map(async key => others.get(key)))).to.deep.equal(names.map((key, i) => Uint8Array.of(i)))
    })

    it('keeps its record when the caller modifies the bytes', async () => {
      const given = Uint8Array.of(1)
      await roots.compareAndSet('site', undefined, given)
      given[0] = 2
      const taken = await roots.get('site')
      taken?.fill(3)

      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1))
    })

    it('lets exactly one of many concurrent writers win', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, async (_, i) => (i % 2 === 0 ? roots : others).compareAndSet('site', undefined, Uint8Array.of(i))))
      const winner = results.indexOf(true)

      expect(results.filter(Boolean)).to.have.lengthOf(1)
      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(winner))
    })

    it('loses no increment of concurrent writers of one name', async () => {
      await fc.assert(fc.asyncProperty(fc.uuid(), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }), async (key, counters, times) => {
        await Promise.all(Array.from({ length: counters }, async (_, i) => count(i % 2 === 0 ? roots : others, key, times)))

        expect((await roots.get(key))?.[0]).to.equal(counters * times)
      }), { numRuns: 10 })
    })

    it('obeys an abort', async () => {
      const signal = AbortSignal.abort(new Error('stop'))

      await expect(roots.get('site', { signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'stop')
      await expect(roots.compareAndSet('site', undefined, Uint8Array.of(1), { signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'stop')
      expect(await roots.get('site')).to.equal(undefined)
    })
  })
}

async function count (roots: RootStore, name: string, times: number): Promise<void> {
  for (let done = 0; done < times;) {
    const before = await roots.get(name)
    done += await roots.compareAndSet(name, before, Uint8Array.of((before?.[0] ?? 0) + 1)) ? 1 : 0
  }
}
