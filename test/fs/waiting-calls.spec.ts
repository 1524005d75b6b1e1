import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import type { AbortOptions, DagFs } from '../../src/index.ts'

type Call = (fs: DagFs, options: AbortOptions) => Promise<unknown>

const edits: Readonly<Record<string, Call>> = {
  writeFile: async (fs, options) => fs.writeFile('/new', 'x', options),
  appendFile: async (fs, options) => fs.appendFile('/file', 'x', options),
  mkdir: async (fs, options) => fs.mkdir('/new', options),
  'mkdir, recursive': async (fs, options) => fs.mkdir('/new/below', { recursive: true, ...options }),
  mkdtemp: async (fs, options) => fs.mkdtemp('/new-', options),
  mkdtempDisposable: async (fs, options) => fs.mkdtempDisposable('/new-', options),
  symlink: async (fs, options) => fs.symlink('x', '/new', null, options),
  rename: async (fs, options) => fs.rename('/file', '/new', options),
  rm: async (fs, options) => fs.rm('/dir', { recursive: true, ...options }),
  rmdir: async (fs, options) => fs.rmdir('/empty', options),
  unlink: async (fs, options) => fs.unlink('/file', options),
  copyFile: async (fs, options) => fs.copyFile('/file', '/new', 0, options),
  cp: async (fs, options) => fs.cp('/dir', '/new', { recursive: true, ...options }),
  chmod: async (fs, options) => fs.chmod('/file', 0o600, options),
  utimes: async (fs, options) => fs.utimes('/file', 1, 1, options),
  lutimes: async (fs, options) => fs.lutimes('/file', 1, 1, options),
  addAll: async (fs, options) => fs.addAll([{ path: '/new', content: 'x' }], options),
  'open to write': async (fs, options) => fs.open('/new', 'w', null, options),
  snapshot: async (fs, options) => fs.snapshot(options)
}

const reads: Readonly<Record<string, Call>> = {
  readFile: async (fs, options) => fs.readFile('/dir/file', options),
  readdir: async (fs, options) => fs.readdir('/dir', options),
  opendir: async (fs, options) => fs.opendir('/dir', options),
  stat: async (fs, options) => fs.stat('/dir/file', options),
  lstat: async (fs, options) => fs.lstat('/dir/file', options),
  readlink: async (fs, options) => fs.readlink('/dir/link', options),
  realpath: async (fs, options) => fs.realpath('/dir/file', options),
  access: async (fs, options) => fs.access('/dir/file', 0, options),
  exists: async (fs, options) => fs.exists('/dir/file', options),
  open: async (fs, options) => fs.open('/dir/file', 'r', null, options),
  truncate: async (fs, options) => fs.truncate('/dir/file', 1, options),
  commit: async (fs, options) => fs.commit(options)
}

async function rootOf (fs: DagFs): Promise<string> {
  const { root } = await fs.commit()

  return String(root)
}

/** Gives nothing until the signal is aborted, once it is told to. */
class SilentStore extends MemoryBlockstore {
  isSilent = false

  override async * get (...[cid, options]: Parameters<MemoryBlockstore['get']>): AsyncGenerator<Uint8Array> {
    const signal = options?.signal

    if (this.isSilent) {
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => { reject(signal.reason) }))
    }

    yield * super.get(cid, options)
  }
}

async function planted (blockstore: MemoryBlockstore): Promise<DagFs> {
  const fs = dagfs({ blockstore })
  await fs.addAll([
    { path: '/file', content: 'abc' },
    { path: '/dir/file', content: 'abc' },
    { path: '/dir/link', kind: 'symlink', target: 'file' },
    { path: '/empty', kind: 'directory' }
  ])

  return fs
}

async function abortedSoon (call: Call, fs: DagFs): Promise<void> {
  const controller = new AbortController()
  const called = call(fs, { signal: controller.signal })
  setTimeout(() => { controller.abort(new Error('enough')) }, 5)
  await expect(called).to.eventually.be.rejected.and.include({ name: 'AbortError', code: 'ABORT_ERR' }).with.nested.property('cause.message', 'enough')
}

describe('fs, pending calls', () => {
  Object.entries(edits).forEach(([name, call]) => {
    it(`aborts ${name} during another edit, without an edit of its own`, async () => {
      const fs = await planted(new MemoryBlockstore())
      const root = await rootOf(fs)
      const first = new AbortController()
      // a stream that gives nothing
      const adding = fs.addAll([{ path: '/late', content: new ReadableStream<Uint8Array>() }], { signal: first.signal })
      adding.catch(() => {})
      await abortedSoon(call, fs)
      first.abort()
      await expect(adding).to.eventually.be.rejected.with.property('name', 'AbortError')

      expect(await rootOf(fs)).to.equal(root)
    })

    it(`does not begin ${name} with an aborted signal`, async () => {
      const fs = await planted(new MemoryBlockstore())
      const root = await rootOf(fs)
      await expect(call(fs, { signal: AbortSignal.abort(new Error('enough')) })).to.eventually.be.rejected.with.property('name', 'AbortError')
      expect(await rootOf(fs)).to.equal(root)
    })
  })

  Object.entries(reads).forEach(([name, call]) => {
    it(`aborts ${name} while a store stalls`, async () => {
      const store = new SilentStore()
      const { root } = await (await planted(store)).commit()
      store.isSilent = true
      await abortedSoon(call, dagfs({ blockstore: store }, { root }))
    })
  })

  it('return nothing of a one-chunk file after an abort', async () => {
    const controller = new AbortController()
    const store = new class extends MemoryBlockstore {
      override async * get (...[cid]: Parameters<MemoryBlockstore['get']>): AsyncGenerator<Uint8Array> {
        yield * super.get(cid)
        controller.abort(new Error('enough'))
      }
    }()
    const fs = dagfs({ blockstore: store })
    await fs.addAll([{ path: '/chunk', content: new Uint8Array(10_000) }])

    await expect(fs.cat('/chunk', { signal: controller.signal }).next()).to.eventually.be.rejected.and.include({ name: 'AbortError', code: 'ABORT_ERR' })
  })

  it('ignore extra arguments that are not objects, as map passes them', async () => {
    const fs = await planted(new MemoryBlockstore())
    await fs.writeFile('/a', '')
    await fs.writeFile('/b', '')

    expect(await Promise.all(['/a', '/b'].map(fs.exists))).to.deep.equal([true, true])
    await Promise.all(['/a', '/b'].map(fs.unlink))
    expect(await Promise.all(['/a', '/b'].map(fs.exists))).to.deep.equal([false, false])
  })

  it('refuse an invalid signal', async () => {
    const fs = await planted(new MemoryBlockstore())
    const options = { signal: 'x' } as unknown as AbortOptions

    await expect(fs.unlink('/file', options)).to.eventually.be.rejected.and.include({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' })
    await expect(fs.exists('/file', options)).to.eventually.be.rejected.and.include({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' })
  })
})
