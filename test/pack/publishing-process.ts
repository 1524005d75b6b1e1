import { PackBlockstore } from '../../src/pack/index.ts'
import { block, bytesOf } from './stores.ts'

/**
 * A process that is killed at work: publishes root after root, each with blocks more, and says so when it was answered.
 */
const [directory, first] = process.argv.slice(2)
const store = new PackBlockstore(directory, { segmentBytes: 200_000 })
await store.open()

for (let root = Number(first) + 1; ; root++) {
  for (let i = 0; i < 10; i++) {
    const { cid, bytes } = await block(bytesOf(root * 10 + i, 3_000))
    await store.put(cid, bytes)
  }

  await store.roots.compareAndSet('main', await store.roots.get('main'), new Uint8Array(Float64Array.of(root).buffer))
  process.stdout.write(`${root}\n`)
}
