import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import { diskRoots } from '../../src/adapters/disk-roots/index.ts'
import { exportDirectory, importDirectory } from '../../src/adapters/host/index.ts'
import { dagfs } from '../../src/index.ts'
import { PackBlockstore } from '../../src/pack/index.ts'

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

  async host (directory) {
    const source = join(directory, 'source')
    await mkdir(source)

    for (let i = 0; i < 200; i++) {
      await writeFile(join(source, `file-${i}`), 'x'.repeat(i * 100))
    }

    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    await importDirectory(fs, source)
    await exportDirectory(fs, join(directory, 'target'))
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
