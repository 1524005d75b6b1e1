import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { diskRoots } from '../../src/adapters/disk-roots/index.ts'
import { exportDirectory, importDirectory } from '../../src/adapters/host/index.ts'
import { createBlock, rawCode } from '../../src/codec/index.ts'
import { dagfs } from '../../src/index.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import type { TransferProgress } from '../../src/adapters/host/index.ts'
import type { CID } from 'multiformats/cid'

// twice as many as threads are started for
const manyFiles = 600
let threads = 0
process.on('worker', () => { threads++ })

/** What opens something and closes it again; then its process has to end by itself */
const scenarios: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  async pack (directory) {
    const store = new PackBlockstore(join(directory, 'store'))
    await store.open()
    const fs = dagfs({ blockstore: store }, { name: 'site', roots: store.roots })
    await fs.writeFile('/a', 'x'.repeat(100_000))
    await fs.commit()
    await fs.gc()
    await store.close()
    const reader = new PackBlockstore(join(directory, 'store'), { readonly: true })
    await reader.open()
    await reader.verify()
    await reader.close()
  },

  async checked (directory) {
    const blocks = await Promise.all(Array.from({ length: 20 }, async (_, i) => createBlock(rawCode, new Uint8Array(2 ** 20).fill(i))))
    const writer = new PackBlockstore(join(directory, 'store'))
    await writer.open()
    await all(writer.putMany(blocks))
    await writer.close()
    const store = new PackBlockstore(join(directory, 'store'), { readonly: true })
    await store.open()

    for (const { cid } of blocks) {
      await all(store.get(cid))
    }

    // some threads have started by then, and read the rest
    await delay(100)
    await Promise.all(blocks.map(async ({ cid }) => all(store.get(cid))))
    await store.close()
    expectThreads()
  },

  async host (directory) {
    const source = join(directory, 'source')
    await writeFiles(source)
    const fs = dagfs({ blockstore: new SlowBlockstore() })
    await importDirectory(fs, source)
    await exportDirectory(fs, join(directory, 'target'))
    expectThreads()
  },

  async abortedFiles (directory) {
    const source = join(directory, 'source')
    await writeFiles(source)
    const fs = dagfs({ blockstore: new SlowBlockstore() })
    const abort = new AbortController()
    const onProgress = ({ detail: { entries } }: { readonly detail: TransferProgress }): void => {
      if (entries === manyFiles / 2) {
        abort.abort(new Error('enough'))
      }
    }
    await importDirectory(fs, source, { signal: abort.signal, onProgress }).catch(() => {})
    expectThreads()
  },

  async aborted (directory) {
    const source = join(directory, 'source')
    await mkdir(source)
    await writeFile(join(source, 'file'), new Uint8Array(20_000_000))
    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    const abort = new AbortController()
    setTimeout(() => { abort.abort(new Error('enough')) }, 1)
    await importDirectory(fs, source, { signal: abort.signal }).catch(() => {})
  },

  async roots (directory) {
    const roots = diskRoots(join(directory, 'roots.sqlite'))
    const fs = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'site', roots })
    await fs.writeFile('/a', 'a')
    await fs.commit()
    roots.close()
  },

  async handles () {
    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    const watching = new AbortController()
    const watched = (async () => {
      for await (const change of fs.watch('/', { signal: watching.signal })) {
        watching.abort(new Error(`enough of ${change.filename}`))
      }
    })().catch(() => {})
    const handle = await fs.open('/a', 'w+')
    await handle.write('a')
    await handle.close()
    await watched
  }
}

/** Has time for threads to start and to have work while an import goes on. */
class SlowBlockstore extends MemoryBlockstore {
  override async put (cid: CID, bytes: Parameters<MemoryBlockstore['put']>[1]): Promise<CID> {
    await delay(2)

    return super.put(cid, bytes)
  }
}

async function writeFiles (source: string): Promise<void> {
  await mkdir(source)

  for (let i = 0; i < manyFiles; i++) {
    await writeFile(join(source, `file-${i}`), 'x'.repeat(i * 100))
  }
}

/** Fails where no thread was started, but for where there is one core, which has none. */
function expectThreads (): void {
  if (threads === 0 && availableParallelism() > 1) {
    throw new Error('no thread was started')
  }
}

const [name] = process.argv.slice(2)

if (name === undefined) {
  process.stdout.write(Object.keys(scenarios).join(' '))
} else {
  const directory = await mkdtemp(join(tmpdir(), 'dagfs-hygiene-'))
  await scenarios[name](directory)
  await rm(directory, { recursive: true })
  // what was closed may need a turn or two
  await new Promise(resolve => setTimeout(resolve, 20))
  const open = process.getActiveResourcesInfo().filter(kind => !kind.startsWith('Pipe') && !kind.startsWith('TTY'))
  const ended = performance.now()
  process.on('exit', () => { process.stdout.write(`${open.join()} ${performance.now() - ended}`) })
}
