import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import all from 'it-all'
import { dagfs } from '../../../src/index.ts'
import { CountingStore } from '../../stores.ts'
import type { DagFs, ReadonlyDagFs } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'
import '../../seed.ts'

async function paths (fs: ReadonlyDagFs): Promise<string[]> {
  return (await all(fs.walk())).map(({ path }) => path)
}

describe('edits', () => {
  let store: CountingStore
  let fs: DagFs

  beforeEach(() => {
    store = new CountingStore()
    fs = dagfs({ blockstore: store })
  })

  describe('cost', () => {
    it('no directory block before the commit, for 2,000 writes into one directory', async () => {
      await fs.mkdir('/dir')

      for (let i = 0; i < 2_000; i++) {
        await fs.writeFile(`/dir/${i}`, `${i}`)
      }

      expect(store.puts).to.equal(0)
      expect(store.gets).to.equal(0)
      await fs.commit()
      expect(store.puts).to.be.below(60)
    })

    it('only the new directories when a tree is moved or copied', async () => {
      await fs.addAll(Array.from({ length: 500 }, (_, i) => ({ path: `/tree/${i % 10}/${i}`, content: new Uint8Array(3_000).fill(i) })))
      await fs.commit()
      store.reset()
      await fs.rename('/tree', '/moved')
      await fs.cp('/moved', '/copy', { recursive: true })

      // the root, to look both names up, and that of the directory, to compare its size
      expect(store.gets).to.be.at.most(2)
      await fs.commit()
      expect(store.puts).to.equal(1)
      expect((await all(fs.walk('/copy'))).length).to.equal(510)
    })

    it('one leaf and its index for an append to a large file', async () => {
      await fs.writeFile('/large', new Uint8Array(2_500_000))
      await fs.commit()
      store.reset()
      await fs.appendFile('/large', 'more')

      expect(store.puts).to.equal(2)
    })
  })

  describe('give the root of a fresh tree', () => {
    type Edit = (fs: DagFs) => Promise<unknown>
    const names = ['a', '\uff5e', '\u{1f600}']
    const name = fc.constantFrom(...names)
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(names => `/${names.join('/')}`)
    const edit: fc.Arbitrary<Edit> = fc.oneof(
      fc.tuple(path, fc.nat(5_000)).map(([to, length]): Edit => async fs => fs.writeFile(to, 'x'.repeat(length))),
      path.map((to): Edit => async fs => fs.appendFile(to, 'more')),
      path.map((to): Edit => async fs => fs.mkdir(to, { recursive: true })),
      fc.tuple(path, path).map(([from, to]): Edit => async fs => fs.rename(from, to)),
      fc.tuple(path, path).map(([from, to]): Edit => async fs => fs.cp(from, to, { recursive: true })),
      fc.tuple(path, path).map(([from, to]): Edit => async fs => fs.copyFile(from, to)),
      path.map((to): Edit => async fs => fs.rm(to, { recursive: true })),
      fc.tuple(path, fc.nat(3_000)).map(([to, length]): Edit => async fs => fs.truncate(to, length)),
      fc.constant<Edit>(async fs => fs.commit())
    )

    /** Directories two deep, with a file in each */
    async function plant (one: DagFs): Promise<void> {
      for (const outer of names) {
        for (const inner of names) {
          await one.mkdir(`/${outer}/${inner}`, { recursive: true })
          await one.writeFile(`/${outer}/${inner}/a`, outer.repeat(1_500))
        }
      }
    }

    for (const draftBytes of [500, 3_000, 2 ** 26]) {
      it(`with random edits, and ${draftBytes} bytes for the draft`, async () => {
        await fc.assert(fc.asyncProperty(fc.array(edit, { minLength: 10, maxLength: 40 }), async edits => {
          const edited = dagfs({ blockstore: new MemoryBlockstore() }, { draftBytes })
          const inMemory = dagfs({ blockstore: new MemoryBlockstore() })
          await plant(edited)
          await plant(inMemory)

          for (const each of edits) {
            const codes = await Promise.all([edited, inMemory].map(async one => each(one).then(() => 'done', err => {
              expect(err.name).to.be.oneOf(['FileSystemError', 'SystemError'])
              return err.code
            })))

            expect(codes[0]).to.equal(codes[1])
          }

          const fresh = dagfs({ blockstore: new MemoryBlockstore() })

          for await (const { path: at, kind } of edited.walk()) {
            await (kind === 'directory' ? fresh.mkdir(at) : fresh.writeFile(at, await edited.readFile(at)))
          }

          const size = (await all(edited.walk())).reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.size : 0), 0)
          expect((await edited.stat('/')).size).to.equal(size)
          const { root } = await fresh.commit()
          expect(String((await edited.commit()).root)).to.equal(String(root))
          expect((await edited.stat('/')).size).to.equal(size)
        }), { numRuns: 60 })
      })
    }
  })

  describe('undone by a failed addAll', () => {
    for (const draftBytes of [0, 2_000, 2 ** 26]) {
      it(`restore earlier edits, with ${draftBytes} bytes for the draft`, async () => {
        await fc.assert(fc.asyncProperty(fc.array(fc.nat(40), { maxLength: 30 }), fc.array(fc.nat(40), { maxLength: 30 }), async (before, after) => {
          const one = dagfs({ blockstore: new MemoryBlockstore() }, { draftBytes })
          const path = (i: number): string => `/${i % 3}/${i % 5}/${i}`

          for (const i of before) {
            await one.mkdir(`/${i % 3}/${i % 5}`, { recursive: true })
            await one.writeFile(path(i), 'before'.repeat(i))
          }

          const [listed, size] = [await all(one.walk()), (await one.stat('/')).size]
          const entries = [{ path: '/0', kind: 'directory' as const, mode: 0o700 }, ...after.map(i => ({ path: path(i), content: 'after'.repeat(2 * i) })), { path: '/..', content: '' }]
          await expect(one.addAll(entries)).to.eventually.be.rejected.with.property('code', 'EINVAL')
          const withoutCid = (entry: { cid?: CID }): object => ({ ...entry, cid: undefined })

          expect((await all(one.walk())).map(withoutCid)).to.deep.equal(listed.map(withoutCid))
          expect((await one.stat('/')).size).to.equal(size)
          await one.writeFile('/last', 'last')
          await one.commit()
          expect((await one.stat('/')).size).to.equal(size + 4)
        }), { numRuns: 30 })
      })
    }
  })

  describe('in concurrent calls', () => {
    it('run one after the other, and lose nothing', async () => {
      await fs.mkdir('/dir')
      await Promise.all([
        ...Array.from({ length: 50 }, async (_, i) => fs.writeFile(`/dir/${i}`, 'x'.repeat(100 * i))),
        ...Array.from({ length: 50 }, async (_, i) => fs.appendFile('/dir/log', `${i};`)),
        fs.commit(),
        ...Array.from({ length: 20 }, async (_, i) => fs.mkdir(`/dir/sub/${i}`, { recursive: true })),
        fs.commit()
      ])

      expect((await fs.readdir('/dir')).length).to.equal(52)
      expect((await fs.readFile('/dir/log', 'utf8')).split(';').filter(Boolean).map(Number).sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 50 }, (_, i) => i))
    })

    it('give the result of some sequential order, in any order of the store', async () => {
      await fc.assert(fc.asyncProperty(fc.scheduler(), async scheduler => {
        const inner = new MemoryBlockstore()
        const blockstore = {
          get: inner.get.bind(inner),
          put: scheduler.scheduleFunction(async (cid: CID, bytes: Uint8Array) => inner.put(cid, bytes))
        }
        const one = dagfs({ blockstore })
        const edits = Promise.allSettled([
          one.writeFile('/a', 'x'.repeat(3_000)),
          one.writeFile('/a', 'y'.repeat(3_000)),
          one.rename('/a', '/b'),
          one.commit(),
          one.rm('/b', { force: true }),
          one.appendFile('/a', 'z')
        ])
        await scheduler.waitFor(edits)
        const found = await Promise.all((await paths(one)).map(async path => [path, (await one.readFile(path, 'utf8')).replace(/(.)\1{2999}/, '$1')]))

        for (const [path, content] of found) {
          expect(path).to.be.oneOf(['/a', '/b'])
          expect(content).to.be.oneOf(['x', 'y', 'z', 'xz', 'yz'])
        }
      }), { numRuns: 40 })
    })

    it('do not block reads of other paths', async () => {
      await fs.writeFile('/read', 'content')
      let release = (): void => {}
      const blocked = new Promise<void>(resolve => { release = resolve })
      const content = (async function * (): AsyncGenerator<Uint8Array> {
        await blocked
        yield Uint8Array.of(1)
      })()
      const adding = fs.addAll([{ path: '/added', content }])

      expect(await fs.readFile('/read', 'utf8')).to.equal('content')
      await using handle = await fs.open('/read')
      expect(await handle.readFile('utf8')).to.equal('content')
      expect(await fs.readdir('/')).to.deep.equal(['read'])
      release()
      await adding
    })

    it('do not block a file written as a stream', async () => {
      let release = (): void => {}
      const blocked = new Promise<void>(resolve => { release = resolve })
      const content = (async function * (): AsyncGenerator<Uint8Array> {
        await blocked
        yield Uint8Array.of(1)
      })()
      const writing = fs.writeFile('/slow', content)
      await fs.writeFile('/fast', 'done')

      expect(await fs.readdir('/')).to.deep.equal(['fast'])
      release()
      await writing
      expect(await fs.readdir('/')).to.deep.equal(['fast', 'slow'])
    })
  })

  describe('of whole files', () => {
    it('keep the old file if the new content fails', async () => {
      await fs.writeFile('/a', 'old')
      const failing = (async function * (): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(5_000)
        throw new Error('connection lost')
      })()

      await expect(fs.writeFile('/a', failing)).to.eventually.be.rejectedWith('connection lost')
      expect(await fs.readFile('/a', 'utf8')).to.equal('old')
    })

    it('do not read content for an impossible path', async () => {
      let isRead = false
      const content = (async function * (): AsyncGenerator<Uint8Array> {
        isRead = true
        yield new Uint8Array(5_000)
      })()

      await expect(fs.writeFile('/missing/a', content)).to.eventually.be.rejected.with.property('code', 'ENOENT')
      expect(isRead).to.equal(false)
    })

    it('copy bytes that the caller may change later', async () => {
      for (const length of [10, 5_000, 1_500_000]) {
        const bytes = new Uint8Array(length)
        const writing = fs.writeFile('/a', bytes)
        await writing
        bytes.fill(1)

        expect(await fs.readFile('/a')).to.deep.equal(new Uint8Array(length))
      }
    })

    it('accept a Blob, a File and a web stream', async () => {
      for (const data of [new Blob(['text']), new File(['text'], 'a'), new Blob(['text']).stream()]) {
        await fs.writeFile('/a', data)

        expect(await fs.readFile('/a', 'utf8')).to.equal('text')
      }
    })
  })

  describe('with a clock', () => {
    it('record times of changed files, directories and links', async () => {
      let now = 1_000
      fs = dagfs({ blockstore: store }, { clock: () => new Date(now) })
      const time = async (path: string): Promise<number> => (await fs.lstat(path)).mtimeMs
      await fs.mkdir('/dir')
      now = 2_000
      await fs.writeFile('/dir/file', 'x')
      await fs.symlink('file', '/dir/link')

      expect(await Promise.all(['/dir', '/dir/file', '/dir/link'].map(time))).to.deep.equal([2_000, 2_000, 2_000])
      now = 3_000
      await fs.appendFile('/dir/file', 'y')
      expect(await Promise.all(['/dir', '/dir/file', '/dir/link'].map(time))).to.deep.equal([2_000, 3_000, 2_000])
      now = 4_000
      await fs.chmod('/dir/file', 0o600)
      expect(await time('/dir/file')).to.equal(3_000)
      await fs.rename('/dir/file', '/file')
      expect(await Promise.all(['/dir', '/file'].map(time))).to.deep.equal([4_000, 3_000])
    })
  })

  describe('without a clock', () => {
    it('record no time, and drop that of replaced content', async () => {
      await fs.addAll([{ path: '/a', content: 'old', mtime: [5, 0], mode: 0o600 }])
      await fs.writeFile('/a', 'new')
      await fs.writeFile('/b', 'b')

      expect((await fs.stat('/a')).attributes).to.deep.equal({ mode: 0o600 })
      expect((await fs.stat('/b')).attributes).to.equal(undefined)
    })
  })

  describe('of a read-only view', () => {
    const edits: Array<[name: string, call: (view: DagFs) => Promise<unknown>, error: object]> = [
      ['writeFile', async view => view.writeFile('/a', ''), { syscall: 'open', path: '/a' }],
      ['appendFile', async view => view.appendFile('/a', ''), { syscall: 'open', path: '/a' }],
      ['mkdir', async view => view.mkdir('/b'), { syscall: 'mkdir', path: '/b' }],
      ['rm', async view => view.rm('/a'), { syscall: 'rm', path: '/a' }],
      ['rename', async view => view.rename('/a', '/b'), { syscall: 'rename', path: '/a', dest: '/b' }],
      ['cp', async view => view.cp('/a', '/b'), { syscall: 'cp', path: '/a', dest: '/b' }],
      ['symlink', async view => view.symlink('/a', '/b'), { syscall: 'symlink', path: '/a', dest: '/b' }],
      ['open to write', async view => view.open('/a', 'w'), { syscall: 'open', path: '/a' }],
      ['access to write', async view => view.access('/a', view.constants.W_OK), { syscall: 'access', path: '/a' }],
      ['addAll', async view => view.addAll([]), { syscall: 'add' }],
      ['commit', async view => view.commit(), { syscall: 'commit' }],
      ['snapshot', async view => view.snapshot(), { syscall: 'snapshot' }]
    ]

    edits.forEach(([name, call, error]) => {
      it(`are refused with EROFS: ${name}`, async () => {
        await fs.writeFile('/a', 'content')
        const { root } = await fs.commit()

        for (const view of [fs.at(root), dagfs({ blockstore: store }, { root, readonly: true })]) {
          await expect(call(view as DagFs)).to.eventually.be.rejected.with.include({ name: 'FileSystemError', code: 'EROFS', ...error })
          expect(await view.readFile('/a', 'utf8')).to.equal('content')
        }
      })
    })
  })

  describe('that a tree cannot carry', () => {
    const calls: Array<[name: string, call: () => Promise<unknown>]> = [
      ['link', async () => fs.link('/a', '/b')],
      ['chown', async () => fs.chown('/a', 1, 1)],
      ['lchown', async () => fs.lchown('/a', 1, 1)],
      ['lchmod', async () => fs.lchmod('/a', 1)],
      ['statfs', async () => fs.statfs('/a')],
      ['chmod of the root', async () => fs.chmod('/', 0o700)],
      ['utimes of the root', async () => fs.utimes('/', 1, 1)]
    ]

    calls.forEach(([name, call]) => {
      it(`are refused with ENOTSUP: ${name}`, async () => {
        await expect(call()).to.eventually.be.rejected.with.include({ name: 'FileSystemError', code: 'ENOTSUP' })
      })
    })
  })

  it('create temporary directories with unique names, removed with their scope', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, async () => fs.mkdtemp('/tmp-')))
    expect(new Set(made).size).to.equal(20)
    expect(made.every(path => /^\/tmp-[A-Za-z0-9]{6}$/.test(path))).to.equal(true)
    let path: string

    {
      await using temporary = await fs.mkdtempDisposable('/scope-')
      path = temporary.path
      await fs.writeFile(`${path}/file`, 'x')
    }

    expect(await fs.exists(path)).to.equal(false)
  })
})
