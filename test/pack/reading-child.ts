import { PackBlockstore } from '../../src/pack/index.ts'
import { readBlock } from './stores.ts'

/** A process that reads all blocks of a store twice, says how many bytes there were, and leaves the store open. */
const store = new PackBlockstore(process.argv[2], { readonly: true })
await store.open()
let bytes = 0

for (let round = 0; round < 2; round++) {
  for await (const { cid } of store.getAll()) {
    bytes += (await readBlock(store, cid)).byteLength
  }
}

process.stdout.write(`${bytes}\n`)
