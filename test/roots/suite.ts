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

const names = ['site', 'Site', 'a/b', '..', '', ' ', '\u{1f600}', '\ufeffmark', 'n'.repeat(128)]

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

    it('has nothing under a name that was not set', async () => {
      expect(await roots.get('site')).to.equal(undefined)
      expect(await all(roots.names())).to.deep.equal([])
    })

    it('gives back what was set, to other handles as well', async () => {
      expect(await roots.compareAndSet('site', undefined, Uint8Array.of(1, 2))).to.equal(true)

      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1, 2))
      expect(await others.get('site')).to.deep.equal(Uint8Array.of(1, 2))
    })

    it('sets what still is as expected', async () => {
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
      it(`leaves a record where ${title} is expected`, async () => {
        await roots.compareAndSet('site', undefined, Uint8Array.of(1))

        expect(await others.compareAndSet('site', expected, Uint8Array.of(3))).to.equal(false)
        expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1))
      })
    })

    it('sets nothing where a record is expected and there is none', async () => {
      expect(await roots.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.equal(false)
      expect(await roots.get('site')).to.equal(undefined)
    })

    it('tells names apart, whatever they are made of', async () => {
      for (const [i, key] of names.entries()) {
        expect(await roots.compareAndSet(key, undefined, Uint8Array.of(i)), key).to.equal(true)
      }

      expect((await all(others.names())).sort()).to.deep.equal([...names].sort())
      expect(await Promise.all(names.map(async key => others.get(key)))).to.deep.equal(names.map((key, i) => Uint8Array.of(i)))
    })

    it('keeps what it was given, whatever the caller does with the bytes', async () => {
      const given = Uint8Array.of(1)
      await roots.compareAndSet('site', undefined, given)
      given[0] = 2
      const taken = await roots.get('site')
      taken?.fill(3)

      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1))
    })

    it('lets one of many win', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, async (_, i) => (i % 2 === 0 ? roots : others).compareAndSet('site', undefined, Uint8Array.of(i))))
      const winner = results.indexOf(true)

      expect(results.filter(Boolean)).to.have.lengthOf(1)
      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(winner))
    })

    it('loses no count of those that count under one name', async () => {
      await fc.assert(fc.asyncProperty(fc.uuid(), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }), async (key, counters, times) => {
        await Promise.all(Array.from({ length: counters }, async (_, i) => count(i % 2 === 0 ? roots : others, key, times)))

        expect((await roots.get(key))?.[0]).to.equal(counters * times)
      }), { numRuns: 10 })
    })

    it('obeys an abort', async () => {
      const signal = AbortSignal.abort(new Error('stop'))

      await expect(roots.get('site', { signal })).to.eventually.be.rejectedWith('stop')
      await expect(roots.compareAndSet('site', undefined, Uint8Array.of(1), { signal })).to.eventually.be.rejectedWith('stop')
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
