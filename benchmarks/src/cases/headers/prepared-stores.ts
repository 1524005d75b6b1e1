import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fsStore, memoryStore } from '../../contenders/stores.ts'
import type { StoreKey } from './options.ts'
import type { BlockstoreHolder } from '../../contenders/stores.ts'

const MAKE: Readonly<Record<StoreKey, (directory: string) => Promise<BlockstoreHolder> | BlockstoreHolder>> = {
  memory: memoryStore,
  disk: fsStore
}

/**
 * Runs something with as many empty stores as it asks for, all of which are gone
 * afterwards.
 */
export async function withStores <T> (key: StoreKey, directory: string, run: (make: () => Promise<BlockstoreHolder['store']>) => Promise<T>): Promise<T> {
  const below = await mkdtemp(join(directory, 'stores-'))
  const made: BlockstoreHolder[] = []

  try {
    return await run(async () => {
      const holder = await MAKE[key](await mkdtemp(join(below, 'store-')))

      made.push(holder)

      return holder.store
    })
  } finally {
    for (const holder of made) {
      await holder.close()
    }

    await rm(below, { recursive: true, force: true })
  }
}
