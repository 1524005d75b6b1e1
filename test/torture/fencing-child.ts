import { fileURLToPath } from 'node:url'
import { isMainThread, Worker } from 'node:worker_threads'
import { PackBlockstore } from '../../src/pack/index.ts'
import { block, bytesOf } from '../pack/stores.ts'

/**
 * A writer that is fenced off: opens the store, publishes roots of its own name, deletes and compacts, and says what it was
 * told is durable. Where it is refused, it opens the store again. Threads of its process open the store meanwhile.
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

function sayRefused (doing: string, { name: kind, code, message }: NodeJS.ErrnoException): void {
  // the directory may be away for a moment
  say(`refused ${code === 'ENOENT' ? code : kind} ${doing}: ${message}`)
}

async function write (): Promise<never> {
  const threads = new Set<Worker>()

  for (let root = 0; ;) {
    const store = new PackBlockstore(directory, { segmentBytes: Number(segmentBytes), createIfMissing: false })
    let doing = 'open'

    try {
      await store.open()
      const known = await store.roots.get(name)
      root = Math.max(root, known === undefined ? 0 : new Float64Array(known.slice().buffer)[0])

      while (next() < 0.97) {
        const value = new Uint8Array(Float64Array.of(++root).buffer)
        const { cid, bytes } = await block(bytesOf(Number(name) * 1e6 + root, 1_500))
        doing = 'put'
        await store.put(cid, bytes)
        doing = 'publish'
        say(`try ${root}`)

        if (await store.roots.compareAndSet(name, await store.roots.get(name), value)) {
          say(`done ${root}`)
        }

        if (next() < 0.3) {
          doing = 'delete'
          await putAndDelete(store, -root)
        }

        if (next() < 0.05) {
          doing = 'compact'
          await store.compact()
        }

        if (next() < 0.02 && threads.size === 0) {
          startThread(threads)
        }
      }

      doing = 'close'
      await store.close()
    } catch (err) {
      await store.close().catch(() => {})
      sayRefused(doing, err as NodeJS.ErrnoException)
    }

    await new Promise(resolve => setTimeout(resolve, 1 + next() * 20))
  }
}

function startThread (threads: Set<Worker>): void {
  const thread = new Worker(fileURLToPath(import.meta.url), { argv: [directory, name, String(next() * 2 ** 31 | 0), segmentBytes] })
  threads.add(thread)
  thread.on('error', err => { sayRefused('a thread', err) }).on('exit', () => { threads.delete(thread) })
}

async function putAndDelete (store: PackBlockstore, number: number): Promise<void> {
  const { cid, bytes } = await block(bytesOf(number, 1_500))
  await store.put(cid, bytes)
  await store.delete(cid)
}

/** Opens the store beside the process's writer, for reading or writing, and closes it. */
async function openInThread (): Promise<void> {
  const store = new PackBlockstore(directory, { readonly: next() < 0.7, createIfMissing: false })

  try {
    await store.open()
    await store.roots.get(name)
  } finally {
    await store.close()
  }
}

await (isMainThread ? write() : openInThread())
