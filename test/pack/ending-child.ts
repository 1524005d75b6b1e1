import { PackBlockstore } from '../../src/pack/index.ts'
import { changedFiles } from './changed-files.ts'
import { blocks, putAll } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { PackOptions } from '../../src/pack/options.ts'

/** A process that puts blocks, does something more, and has nothing else to do then. Most leave their store open. */
const endings: Readonly<Record<string, (store: PackBlockstore, put: readonly TestBlock[]) => Promise<unknown>>> = {
  put: async () => {},
  delete: async (store, put) => store.delete(put[0].cid),
  publish: async store => store.roots.compareAndSet('main', undefined, Uint8Array.of(1)),
  sync: async store => store.sync(),
  close: async store => store.close(),
  fail: async store => {
    isFull = true
    await store.sync().catch(() => {})
  }
}

let isFull = false

const files = changedFiles(file => ({
  async write (bytes, position) {
    if (isFull) {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }

    await file.write(bytes, position)
  }
}))

const [directory, ending, recordAfterMs] = process.argv.slice(2)
const options: PackOptions = recordAfterMs === undefined ? {} : { recordAfterMs: Number(recordAfterMs) }
const store = new PackBlockstore(directory, { ...options, files })
await store.open()
const put = await blocks(20, 1_000)

await putAll(store, put)

await endings[ending](store, put)
