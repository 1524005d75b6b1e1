import { cp, rm } from 'node:fs/promises'
import { damage, damageKinds, examine, heal, healthy, remedies } from '../../pack/damaged.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { below } from '../../seed.ts'
import type { Healthy } from '../../pack/damaged.ts'
import type { FaultyFiles } from '../../pack/faulty-files.ts'
import type { Case, Cases, Part } from '../part.ts'

/** Stores of one segment and of many */
async function openStores (): Promise<Healthy[]> {
  return [await healthy({ recordAfterMs: 100_000 }), await healthy({ recordAfterMs: 100_000, segmentBytes: 6_000 })]
}

type Examination = (files: FaultyFiles, directory: string, store: Healthy, hasIndex: boolean) => Promise<void>

/** Cases that damage a copy of one of the stores, with or without its index. */
async function casesOf (examination: (given: Case) => Examination): Promise<Cases> {
  const stores = await openStores()

  return {
    async run (given) {
      const { number, next } = given
      const store = stores[number % stores.length]
      const hasIndex = next() < 0.5

      await inTemporary(async directory => {
        if (hasIndex) {
          await cp(store.indexDirectory, directory, { recursive: true })
        }

        const files = store.files.movedTo('/', directory)
        damage(files, damageKinds[below(next, damageKinds.length)], next)
        await examination(given)(files, directory, store, hasIndex)
      })

      return undefined
    },

    async close () {
      for (const { indexDirectory } of stores) {
        await rm(indexDirectory, { recursive: true })
      }
    }
  }
}

export const damages: Part = {
  claim: 'verify() finds all damage of a pack store without a false alarm, and no read is wrong',
  unit: 'damages',
  full: 100_000,
  daily: 120,
  open: async () => casesOf(({ next }) => async (files, directory, store, hasIndex) =>
    examine(files, directory, store, { readonly: next() < 0.5, hasIndex }))
}

export const healing: Part = {
  claim: 'a pack store is intact after healing from a store, from a CAR or by new puts',
  unit: 'damaged stores',
  full: 20_000,
  daily: 60,
  open: async () => casesOf(({ number }) => async (files, directory, store, hasIndex) =>
    heal(files, directory, store, { remedy: remedies[number % remedies.length], hasIndex }))
}
