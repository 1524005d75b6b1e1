import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import type { DagFs, WatchOptions } from '../../src/index.ts'

describe('fs/watch', () => {
  let fs: DagFs
  let store: MemoryBlockstore

  beforeEach(async () => {
    store = new MemoryBlockstore()
    fs = dagfs({ blockstore: store })
    await fs.addAll([{ path: '/dir/file', content: 'x' }, { path: '/dir/sub/deep', content: 'y' }, { path: '/link', kind: 'symlink', target: 'dir' }])
  })

  /** What a watcher tells of what is done while it watches, and until a last edit in the directory. */
  async function seen (path: string, options: WatchOptions, edit: () => Promise<unknown>): Promise<string[]> {
    const watcher = fs.watch(path, options)
    const events: string[] = []
    const first = watcher.next()
    await edit()
    await fs.writeFile('/dir/end', '')
    await fs.writeFile('/dir/file', 'end')

    for (let { value } = await first; value !== undefined; { value } = await watcher.next()) {
      events.push(`${value.eventType} ${String(value.filename)}`)

      if (value.filename === 'end' || (value.eventType === 'change' && path === '/dir/file')) {
        break
      }
    }

    await watcher.return(undefined)

    return events.slice(0, -1)
  }

  it('reports entries added to and removed from a directory', async () => {
    expect(await seen('/dir', {}, async () => {
      await fs.writeFile('/dir/new', '1')
      await fs.mkdir('/dir/made')
      await fs.symlink('x', '/dir/a-link')
      await fs.unlink('/dir/new')
      await fs.rmdir('/dir/made')
      await fs.rename('/dir/a-link', '/dir/renamed')
    })).to.deep.equal(['rename new', 'rename made', 'rename a-link', 'rename new', 'rename made', 'rename a-link', 'rename renamed'])
  })

  it('reports changed content and attributes', async () => {
    expect(await seen('/dir', {}, async () => {
      await fs.writeFile('/dir/file', '2')
      await fs.appendFile('/dir/file', '3')
      await fs.truncate('/dir/file', 1)
      await fs.chmod('/dir/file', 0o600)
      const handle = await fs.open('/dir/file', 'r+')
      await handle.write('4')
      await handle.close()
    })).to.deep.equal(['change file', 'change file', 'change file', 'change file', 'change file'])
  })

  it('reports nothing else', async () => {
    expect(await seen('/dir', {}, async () => {
      await fs.writeFile('/other', '1')
      await fs.writeFile('/dir/sub/deep', '2')
      await fs.readFile('/dir/file')
      await fs.commit()
    })).to.deep.equal([])
  })

  it('reports everything below if recursive', async () => {
    expect(await seen('/dir', { recursive: true }, async () => {
      await fs.writeFile('/dir/sub/deep', '2')
      await fs.writeFile('/dir/sub/new', '2')
      await fs.rm('/dir/sub', { recursive: true })
    })).to.deep.equal(['change sub/deep', 'rename sub/new', 'rename sub'])
  })

  it('reports entries of addAll', async () => {
    expect(await seen('/dir', { recursive: true }, async () => fs.addAll([{ path: '/dir/one', content: '1' }, { path: '/dir/sub/deep', content: '2' }, { path: '/else', content: '3' }])))
      .to.deep.equal(['rename one', 'rename sub/deep'])
  })

  it('reports changes by a checkout or merge', async () => {
    const { root } = await fs.commit()
    const other = dagfs({ blockstore: store }, { root })
    await other.addAll([{ path: '/dir/file', content: 'theirs' }, { path: '/dir/theirs/a', content: '' }])
    const { root: theirs } = await other.commit()

    expect(await seen('/dir', {}, async () => {
      await fs.merge(theirs, { base: root })
      await fs.checkout(root, { force: true })
    })).to.deep.equal(['change file', 'rename theirs', 'change file', 'rename theirs'])
  })

  it('follows a link', async () => {
    expect(await seen('/link', {}, async () => fs.writeFile('/dir/new', '1'))).to.deep.equal(['rename new'])
  })

  it('watches a file', async () => {
    const watcher = fs.watch('/dir/file')
    const first = watcher.next()
    await fs.writeFile('/dir/other', '1')
    await fs.writeFile('/dir/file', '1')

    expect((await first).value).to.deep.equal({ eventType: 'change', filename: 'file' })
    const second = watcher.next()
    await fs.unlink('/dir/file')
    expect((await second).value).to.deep.equal({ eventType: 'rename', filename: 'file' })
    await watcher.return(undefined)
  })

  it('returns names as bytes or in other encodings', async () => {
    const bytes = fs.watch('/dir', { encoding: 'buffer' }).next()
    const hex = fs.watch('/dir', { encoding: 'hex' }).next()
    await fs.writeFile('/dir/ü', '1')

    expect((await bytes).value?.filename).to.deep.equal(Uint8Array.of(0xc3, 0xbc))
    expect((await hex).value?.filename).to.equal('c3bc')
  })

  it('is aborted by a signal', async () => {
    const controller = new AbortController()
    const next = fs.watch('/dir', { signal: controller.signal }).next()
    const failed = expect(next).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    await fs.stat('/')
    controller.abort(new Error('enough'))

    await failed
    await expect(fs.watch('/dir', { signal: controller.signal }).next()).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
  })

  it('drops events beyond its limit', async () => {
    const watcher = fs.watch('/dir', { maxQueue: 2 })
    const first = watcher.next()
    await fs.writeFile('/dir/0', '')
    await first

    for (const name of ['1', '2', '3']) {
      await fs.writeFile(`/dir/${name}`, '')
    }

    expect((await watcher.next()).value?.filename).to.equal('1')
    expect((await watcher.next()).value?.filename).to.equal('2')
    const next = watcher.next()
    await fs.writeFile('/dir/4', '')
    expect((await next).value?.filename).to.equal('4')
    await watcher.return(undefined)
  })

  it('fails beyond its limit if asked to', async () => {
    const watcher = fs.watch('/dir', { maxQueue: 1, overflow: 'error' })
    const first = watcher.next()
    await fs.writeFile('/dir/0', '')
    await first
    await fs.writeFile('/dir/1', '')
    await fs.writeFile('/dir/2', '')

    await expect(watcher.next()).to.eventually.be.rejected.with.property('code', 'ERR_FS_WATCH_QUEUE_OVERFLOW')
  })

  const ignored: ReadonlyArray<readonly [title: string, ignore: WatchOptions['ignore'], told: readonly string[]]> = [
    ['a name', 'b.txt', ['a.txt', 'a.log', 'sub/file.log']],
    ['a pattern of basenames', '*.log', ['a.txt', 'sub/b.txt']],
    ['a pattern of paths', 'sub/**', ['a.txt', 'a.log']],
    ['a regular expression', /^sub\/|txt$/, ['a.log']],
    ['a function', (filename: string) => filename.endsWith('txt'), ['a.log', 'sub/file.log']],
    ['a list', ['*.log', /^a/], ['sub/b.txt']],
    ['an empty list', [], ['a.txt', 'a.log', 'sub/file.log', 'sub/b.txt']],
    ['null', null as unknown as undefined, ['a.txt', 'a.log', 'sub/file.log', 'sub/b.txt']]
  ]

  ignored.forEach(([title, ignore, told]) => {
    it(`applies ignore given as ${title}`, async () => {
      const events = await seen('/dir', { recursive: true, ignore }, async () => {
        for (const name of ['a.txt', 'a.log', 'sub/file.log', 'sub/b.txt']) {
          await fs.writeFile(`/dir/${name}`, '')
        }
      })

      expect(new Set(events)).to.deep.equal(new Set(told.flatMap(name => [`rename ${name}`])))
    })
  })

  it('ends with the error of an ignore function, not failing the edit', async () => {
    const watcher = fs.watch('/dir', { ignore () { throw new Error('of the caller') } })
    const next = watcher.next()
    await fs.stat('/')
    await fs.writeFile('/dir/new', '')

    await expect(next).to.eventually.be.rejectedWith('of the caller')
    expect(await fs.exists('/dir/new')).to.equal(true)
  })

  it('refuses an invalid ignore option as Node.js does', async () => {
    const message = async (ignore: unknown): Promise<string> => fs.watch('/dir', { ignore } as WatchOptions).next().then(() => '', (err: Error) => err.message)

    expect(await message('')).to.equal("The property 'options.ignore' must be a non-empty string. Received ''")
    expect(await message(['x', ''])).to.equal("The property 'options.ignore[1]' must be a non-empty string. Received ''")
    expect(await message(1)).to.equal('The "options.ignore" property must be one of type string or function or an instance of RegExp. Received type number (1)')
    expect(await message([null])).to.equal('The "options.ignore[0]" property must be one of type string or function or an instance of RegExp. Received null')
  })

  it('fails if there is nothing to watch', async () => {
    await expect(fs.watch('/missing').next()).to.eventually.be.rejected.with.include({ code: 'ENOENT', syscall: 'watch', path: '/missing' })
  })

  const wrong = [null, { persistent: 1 }, { recursive: 'x' }, { maxQueue: 'x' }, { overflow: 'x' }, { encoding: 'x' }, { signal: 'x' }] as unknown as WatchOptions[]

  wrong.forEach(options => {
    it(`refuses the options ${JSON.stringify(options)}`, async () => {
      await expect(fs.watch('/dir', options).next()).to.eventually.be.rejected.with.property('code').that.is.oneOf(['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE'])
    })
  })
})
