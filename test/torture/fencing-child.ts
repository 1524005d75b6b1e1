import { PackBlockstore } from '../../src/pack/index.ts'
import { block, bytesOf } from '../pack/stores.ts'

/**
 * A writer that is fenced off: opens the store, publishes roots of its own name, collects and compacts, and says what it was
 * told is durable; and ends where it is refused.
 */
const [directory, name, seed, segmentBytes] = process.argv.slice(2)
let state = Number(seed)

function next (): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0

  return state / 2 ** 32
}

function say (line: string): void {
  process.stdout.write(`${line}\n`)
}

for (let root = 0; ;) {
  const store = new PackBlockstore(directory, { segmentBytes: Number(segmentBytes), createIfMissing: false })

  try {
    await store.open()
    const known = await store.roots.get(name)
    root = Math.max(root, known === undefined ? 0 : new Float64Array(known.slice().buffer)[0])

    while (next() < 0.97) {
      const value = new Uint8Array(Float64Array.of(++root).buffer)
      const { cid, bytes } = await block(bytesOf(Number(name) * 1e6 + root, 1_500))
      await store.put(cid, bytes)
      say(`try ${root}`)

      if (await store.roots.compareAndSet(name, await store.roots.get(name), value)) {
        say(`done ${root}`)
      }

      if (next() < 0.05) {
        await store.compact()
      }
    }

    await store.close()
  } catch (err) {
    await store.close().catch(() => {})
    const { name: kind, code, message } = err as NodeJS.ErrnoException
    // the directory may be away for a moment
    say(`refused ${code === 'ENOENT' ? code : kind} ${message}`)
  }

  await new Promise(resolve => setTimeout(resolve, 1 + next() * 20))
}
