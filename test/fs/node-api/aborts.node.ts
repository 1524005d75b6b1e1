import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs, memoryRoots } from '../../../src/index.ts'
import { describeBesideNode } from '../../beside-node-release.ts'
import { besideNode } from '../beside-node.ts'
import type { DagFs, FileHandle, RootStore } from '../../../src/index.ts'

type Options = { readonly signal: AbortSignal }

const large = 6_000_000

/** Every call of Node that takes a signal, on a file of 6 MB. */
const calls: Readonly<Record<string, (fs: DagFs, options: Options) => Promise<unknown>>> = {
  readFile: async (fs, options) => fs.readFile('/file', options),
  'readFile as text': async (fs, options) => fs.readFile('/file', { ...options, encoding: 'utf8' }),
  'readFile of a missing file': async (fs, options) => fs.readFile('/missing', options),
  'writeFile of bytes': async (fs, options) => fs.writeFile('/written', new Uint8Array(large), options),
  'writeFile of text': async (fs, options) => fs.writeFile('/written', 'x'.repeat(large), options),
  'writeFile of a little': async (fs, options) => fs.writeFile('/written', 'x', options),
  'writeFile of 3 kB': async (fs, options) => fs.writeFile('/written', 'abc'.repeat(1_000), options),
  'writeFile of nothing': async (fs, options) => fs.writeFile('/written', '', options),
  'writeFile of no pieces': async (fs, options) => fs.writeFile('/written', [], options),
  'appendFile of bytes': async (fs, options) => fs.appendFile('/file', new Uint8Array(large), options),
  'appendFile of a little': async (fs, options) => fs.appendFile('/file', 'x', options),
  'FileHandle.readFile': async (fs, options) => opened(fs, async handle => handle.readFile(options)),
  'FileHandle.writeFile of bytes': async (fs, options) => opened(fs, async handle => handle.writeFile(new Uint8Array(large), options)),
  'FileHandle.writeFile of text': async (fs, options) => opened(fs, async handle => handle.writeFile('x'.repeat(large), options)),
  'FileHandle.writeFile of pieces': async (fs, options) => opened(fs, async handle => handle.writeFile(['x'.repeat(large), 'y'.repeat(large)], options)),
  'FileHandle.appendFile of bytes': async (fs, options) => opened(fs, async handle => handle.appendFile(new Uint8Array(large), options)),
  'FileHandle.writeFile of a view': async (fs, options) => opened(fs, async handle => handle.writeFile(new DataView(new ArrayBuffer(large)), options))
}

async function opened (fs: DagFs, use: (handle: FileHandle) => Promise<unknown>): Promise<unknown> {
  const handle = await fs.open('/file', 'r+')

  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

describeBesideNode('aborted calls, compared to Node.js', function () {
  this.timeout(60_000)

  for (const [name, call] of Object.entries(calls)) {
    besideNode(`${name}: aborted before`, async (fs, note) => {
      await fs.writeFile('/file', new Uint8Array(large))
      await note(async () => call(fs, { signal: AbortSignal.abort() }))
      await note(async () => call(fs, { signal: AbortSignal.abort(new Error('why')) }))
      await note(async () => call(fs, { signal: AbortSignal.abort('why') }))
      await note(async () => fs.readdir('/'))
    })

    besideNode(`${name}: aborted in the next tick`, async (fs, note) => {
      await fs.writeFile('/file', new Uint8Array(large))

      await note(async () => {
        const controller = new AbortController()
        process.nextTick(() => { controller.abort(new Error('why')) })
        await call(fs, { signal: controller.signal })
      })
    })
  }

  besideNode('small writes to a handle, aborted before, in between and in the next tick', async (fs, note) => {
    const handle = await fs.open('/file', 'w+')

    for (const data of ['', 'x', [], ['x'], new Uint8Array(3)]) {
      await note(async () => handle.writeFile(data, { signal: AbortSignal.abort() }))
    }

    await note(async () => {
      const controller = new AbortController()
      process.nextTick(() => { controller.abort() })
      await handle.writeFile('abc', { signal: controller.signal })
    })
    await note(async () => fs.readFile('/file', 'utf8'))

    await note(async () => {
      const controller = new AbortController()

      async function * pieces (): AsyncGenerator<string> {
        yield 'one '
        controller.abort(new Error('enough'))
        yield 'two'
      }

      await handle.writeFile(pieces(), { signal: controller.signal })
    })
    await note(async () => fs.readFile('/file', 'utf8'))
    await handle.close()
  })

  besideNode('data and options that cannot be used, with an aborted signal', async (fs, note) => {
    const signal = AbortSignal.abort()
    const handle = await fs.open('/file', 'w+')

    for (const data of [5, {}, null, undefined, true] as unknown as string[]) {
      await note(async () => fs.writeFile('/file', data, { signal }))
      await note(async () => handle.writeFile(data, { signal }))
    }

    await note(async () => fs.readFile('/file', { signal, encoding: 'x' as 'utf8' }))
    await handle.close()
  })

  besideNode('watch', async (fs, note) => {
    await fs.mkdir('/dir')
    await note(async () => fs.watch('/dir', { signal: AbortSignal.abort(new Error('why')) }).next())
    await note(async () => fs.watch('/missing', { signal: AbortSignal.abort() }).next())
    await note(async () => fs.watch('/dir', { signal: AbortSignal.abort(), recursive: true }).next())

    for (const recursive of [false, true]) {
      const controller = new AbortController()
      const watcher = fs.watch('/dir', { signal: controller.signal, recursive })
      const next = watcher.next()
      setTimeout(() => { controller.abort(new Error('why')) }, 20)
      await note(async () => next)
      await note(async () => watcher.next())
    }
  })

  besideNode('watch: tells of what came before the abort, and of nothing after', async (fs, note) => {
    await fs.mkdir('/dir')
    const controller = new AbortController()
    const watcher = fs.watch('/dir', { signal: controller.signal })
    const first = watcher.next()
    await fs.mkdir('/dir/a')
    await fs.mkdir('/dir/b')
    await note(async () => first)
    await new Promise(resolve => setTimeout(resolve, 20))
    controller.abort(new Error('why'))
    await fs.mkdir('/dir/c')
    await note(async () => watcher.next())
    await note(async () => watcher.next())
    await note(async () => watcher.next())
  })
})

describe('aborted calls of dagfs', () => {
  const reason = new Error('why')
  const signal = AbortSignal.abort(reason)
  let fs: DagFs
  let roots: RootStore

  const own: Readonly<Record<string, () => Promise<unknown>>> = {
    addAll: async () => fs.addAll([{ path: '/a', content: 'x' }], { signal }),
    cat: async () => fs.cat('/file', { signal }).next(),
    ls: async () => fs.ls('/', { signal }).next(),
    walk: async () => fs.walk('/', { signal }).next(),
    glob: async () => fs.glob('**', { signal }).next(),
    commit: async () => fs.commit({ signal }),
    gc: async () => fs.gc({ signal }),
    log: async () => fs.log(undefined, { signal }).next(),
    verify: async () => fs.verify(undefined, { signal }),
    cp: async () => fs.cp('/dir', '/copy', { recursive: true, signal }),
    createReadStream: async () => fs.createReadStream('/file', { signal }).getReader().read(),
    createWriteStream: async () => fs.createWriteStream('/file', { signal }).getWriter().write('x'),
    'FileHandle.read': async () => opened(fs, async handle => handle.read({ signal })),
    'FileHandle.write': async () => opened(fs, async handle => handle.write(Uint8Array.of(1), { signal })),
    'FileHandle.sync': async () => opened(fs, async handle => handle.sync({ signal })),
    'FileHandle.truncate': async () => opened(fs, async handle => handle.truncate(1, { signal })),
    'roots.get': async () => roots.get('name', { signal })
  }

  beforeEach(async () => {
    roots = memoryRoots()
    fs = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'name', roots })
    await fs.writeFile('/file', new Uint8Array(10_000))
    await fs.mkdir('/dir')
    await fs.writeFile('/dir/file', 'x')
  })

  for (const [name, call] of Object.entries(own)) {
    it(`${name} rejects with an AbortError`, async () => {
      await expect(call()).to.eventually.be.rejected.with.include({ name: 'AbortError', code: 'ABORT_ERR', message: 'The operation was aborted', cause: reason })
    })
  }
})
