import { PackBlockstore } from '../../src/pack/index.ts'
import { block, bytesOf } from './stores.ts'

/** A process that puts many blocks, publishes a root, says so, and waits to be killed, or closes its store meanwhile. */
const [directory, count, end] = process.argv.slice(2)
const store = new PackBlockstore(directory)
await store.open()

for (let i = 0; i < Number(count); i++) {
  const { cid, bytes } = await block(bytesOf(i, 100))
  await store.put(cid, bytes)
}

await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
process.stdout.write('published\n')

if (end === 'close') {
  await store.close()
}

setInterval(() => {}, 1_000)
