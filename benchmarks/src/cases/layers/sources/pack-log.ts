import { PackBlockstore } from 'dagfs/pack'
import { packageVersion } from '../../../contenders/package-version.ts'
import type { Source } from './source.ts'

/**
 * The records of the pack store's log.
 */
export const packLog: Source = {
  holds: 'records',
  version: async () => packageVersion('dagfs'),

  async open ({ store, readBytes }) {
    const blockstore = new PackBlockstore(store, { readonly: true })

    await blockstore.open()

    return {
      async scan (take) {
        for await (const batch of blockstore.scan({ readBytes })) {
          for (let i = 0; i < batch.length; i++) {
            take(batch.data(i))
          }
        }
      },
      close: async () => blockstore.close()
    }
  }
}
