import { PackBlockstore } from '../../../src/pack/index.ts'
import { names, readPublished } from './published.ts'

/** A process that reads all published trees of a store again and again, until its input ends; says how many blocks it has read. */
const store = new PackBlockstore(process.argv[2], { readonly: true })
await store.open()
const isOver = new AbortController()
let blocks = 0
process.stdin.resume().once('end', () => { isOver.abort() })
process.stdout.write('open\n')

while (!isOver.signal.aborted) {
  for (const name of names) {
    blocks += await readPublished(store, name)
  }

  if ((await store.verify()).problems.length > 0) {
    throw new Error('a store beside its writer has problems')
  }
}

await store.close()
process.stdout.write(`${blocks}\n`)
