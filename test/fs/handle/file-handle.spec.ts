import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../../src/index.ts'
import type { DagFs, FileHandle } from '../../../src/index.ts'

const large = Uint8Array.from({ length: 2_500_000 }, (_, i) => (i * 7 + (i >> 9)) % 256)

async function text (stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text()
}

describe('fs/handle', () => {
  let fs: DagFs
  let handle: FileHandle

  beforeEach(async () => {
    fs = dagfs({ blockstore: new MemoryBlockstore() })
    await fs.addAll([{ path: '/file', content: '0123456789' }, { path: '/large', content: large }, { path: '/dir/x', content: 'x' }])
    handle = await fs.open('/file', 'r+')
  })

  afterEach(async () => {
    await handle.close()
  })

  it('continues at the position of the last operation', async () => {
    await handle.read(new Uint8Array(3))
    await handle.write('abc')

    expect(await handle.readFile('utf8')).to.equal('6789')
    expect(await fs.readFile('/file', 'utf8')).to.equal('012abc6789')
  })

  it('keeps concurrent operations in order', async () => {
    const empty = await fs.open('/new', 'w+')
    await Promise.all(Array.from({ length: 100 }, async (_, i) => empty.write(`${i},`)))

    expect(await fs.readFile('/new', 'utf8')).to.equal(Array.from({ length: 100 }, (_, i) => `${i},`).join(''))
    await empty.close()
  })

  it('appends from two handles without losing anything', async () => {
    const handles = [await fs.open('/log', 'a'), await fs.open('/log', 'a')]
    await Promise.all(handles.flatMap((each, i) => Array.from({ length: 50 }, async () => each.write(`${i}`))))
    await Promise.all(handles.map(async each => each.close()))

    expect([...await fs.readFile('/log', 'utf8')].sort().join('')).to.equal('0'.repeat(50) + '1'.repeat(50))
  })

  it('leaves a hole of zeros', async () => {
    await handle.write('x', 20)

    expect([...await fs.readFile('/file')].slice(9)).to.deep.equal([57, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 120])
  })

  it('writes and reads across chunks', async () => {
    const big = await fs.open('/large', 'r+')
    await big.write(Uint8Array.of(1, 2, 3, 4), 0, 4, 1_048_574)
    const expected = large.slice()
    expected.set([1, 2, 3, 4], 1_048_574)

    expect((await big.read(new Uint8Array(8), 0, 8, 1_048_572)).buffer).to.deep.equal(expected.slice(1_048_572, 1_048_580))
    expect(await fs.readFile('/large')).to.deep.equal(expected)
    await big.close()
  })

  it('accepts a Blob and a web stream as content', async () => {
    const stream = await fs.open('/stream', 'w')
    await stream.writeFile(new Blob(['from ', 'a blob']))
    await stream.writeFile(new Blob([' and a stream']).stream())
    await stream.close()

    expect(await fs.readFile('/stream', 'utf8')).to.equal('from a blob and a stream')
  })

  it('has a unique number until it is closed', async () => {
    const other = await fs.open('/file')

    expect(other.fd).to.be.greaterThan(2).and.not.equal(handle.fd)
    await other.close()
    expect(other.fd).to.equal(-1)
    expect(other.getAsyncId()).to.equal(-1)
  })

  it('is closed by await using', async () => {
    let used: FileHandle

    {
      await using inner = await fs.open('/file')
      used = inner
    }

    expect(used.fd).to.equal(-1)
  })

  it('finishes pending operations before it closes', async () => {
    const other = await fs.open('/large')
    const reading = other.readFile()
    await other.close()

    expect((await reading).byteLength).to.equal(large.byteLength)
  })

  it('refuses a closed handle with EBADF and without a path', async () => {
    await handle.close()

    await expect(handle.read()).to.eventually.be.rejected.with.include({ code: 'EBADF', syscall: 'read', name: 'FileSystemError' })
    await expect(handle.read()).to.eventually.be.rejected.and.not.have.property('path')
  })

  it('opens a directory for stat and sync, but not for reading', async () => {
    const directory = await fs.open('/dir')

    expect((await directory.stat()).isDirectory()).to.equal(true)
    await directory.sync()
    await expect(directory.readFile()).to.eventually.be.rejected.with.include({ code: 'EISDIR', syscall: 'read' })
    await directory.close()
  })

  it('refuses to change owners', async () => {
    await expect(handle.chown(0, 0)).to.eventually.be.rejected.with.include({ code: 'ENOTSUP', syscall: 'fchown' })
    await expect(handle.chown(-2, 0)).to.eventually.be.rejected.with.include({ code: 'ERR_OUT_OF_RANGE' })
  })

  it('returns bigints on request', async () => {
    await handle.utimes(0, [1_700_000_000, 5])

    expect(await handle.stat({ bigint: true })).to.include({ size: 10n, mode: 0o100644n, mtimeNs: 1_700_000_000_000_000_005n })
  })

  for (const [change, content] of [['truncated', ''], ['truncated', 'x'], ['appended nothing', 'x']] as const) {
    it(`keeps the shown attributes in a commit of ${content.length} bytes, ${change}`, async () => {
      const fs = dagfs({ blockstore: new MemoryBlockstore() })
      await fs.writeFile('/a', content)
      await fs.utimes('/a', 5, 5)
      await using open = await fs.open('/a', 'r+')
      await (change === 'truncated' ? open.truncate(content.length) : fs.appendFile('/a', ''))
      const [{ mtime }] = await all(fs.walk())
      const { root } = await fs.commit()

      expect((await all(fs.at(root).walk()))[0].mtime).to.deep.equal(mtime)
      expect((await all(fs.walk()))[0].mtime).to.deep.equal(mtime)
    })
  }

  it('stops writing when aborted', async () => {
    const controller = new AbortController()
    const pieces = (function * (): Generator<string> {
      yield 'first'
      controller.abort(new Error('enough'))
      yield 'second'
    })()

    await expect(handle.writeFile(pieces, { signal: controller.signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    expect(await fs.readFile('/file', 'utf8')).to.equal('first56789')
    await expect(handle.readFile({ signal: controller.signal })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
  })

  describe('views of a root', () => {
    it('can be opened for reading', async () => {
      const { root } = await fs.commit()
      const reading = await fs.at(root).open('/file')
      await handle.write('changed')

      expect(await reading.readFile('utf8')).to.equal('0123456789')
      await reading.close()
    })

    it('refuse to be written to with EROFS', async () => {
      const { root } = await fs.commit()
      const view = fs.at(root)

      for (const flags of ['r+', 'w', 'a', 'wx']) {
        await expect(view.open(flags === 'wx' ? '/new' : '/file', flags)).to.eventually.be.rejected.with.include({ code: 'EROFS', syscall: 'open' })
      }

      const reading = await view.open('/file')
      await expect(reading.chmod(0o600)).to.eventually.be.rejected.with.include({ code: 'EROFS' })
    })
  })

  describe('lines', () => {
    it('are read across pieces, and the handle is closed after them', async () => {
      const content = Array.from({ length: 60_000 }, (_, i) => `line ${i} ü€😀`)
      await fs.addAll([{ path: '/lines', content: content.join('\r\n') }])
      const lines = await fs.open('/lines')

      expect(await all(lines.readLines({ highWaterMark: 1_001 }))).to.deep.equal(content)
      expect(lines.fd).to.equal(-1)
    })

    it('are decoded in other encodings', async () => {
      const lines = await fs.open('/utf16', 'w+')
      await lines.write('eins\nzw€i\n', 0, 'utf16le')

      expect(await all(lines.readLines({ start: 0, encoding: 'utf16le', highWaterMark: 3 }))).to.deep.equal(['eins', 'zw€i'])
    })

    it('close the handle when the caller stops', async () => {
      const lines = handle.readLines()

      expect(await lines.next()).to.deep.equal({ done: false, value: '0123456789' })
      await lines.return(undefined)

      expect(handle.fd).to.equal(-1)
    })
  })

  describe('readable streams', () => {
    it('return a range including both ends', async () => {
      expect(await text(fs.createReadStream('/file', { start: 2, end: 4 }))).to.equal('234')
      expect(await text(fs.createReadStream('/file', { start: 8, end: 100 }))).to.equal('89')
      expect(await text(fs.createReadStream('/file', { end: 0 }))).to.equal('0')
      expect(await text(fs.createReadStream('/file', { start: 10 }))).to.equal('')
    })

    it('return a large file', async () => {
      const bytes = await new Response(fs.createReadStream('/large') as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()

      expect(new Uint8Array(bytes)).to.deep.equal(large)
    })

    it('fill buffers of the reader', async () => {
      const reader = fs.createReadStream('/file').getReader({ mode: 'byob' })
      const first = await reader.read(new Uint8Array(4))
      const second = await reader.read(new Uint8Array(40))
      const third = await reader.read(new Uint8Array(4))

      expect(first.value).to.deep.equal(new TextEncoder().encode('0123'))
      expect(second.value).to.deep.equal(new TextEncoder().encode('456789'))
      expect(third.done).to.equal(true)
    })

    it('read no more than requested', async () => {
      const big = await fs.open('/large')
      const reader = big.createReadStream({ highWaterMark: 1_000 }).getReader()
      await reader.read()
      await new Promise(resolve => setTimeout(resolve, 10))

      expect((await big.read(new Uint8Array(1))).buffer[0]).to.equal(large[1_000])
      await reader.cancel()
      expect(big.fd).to.equal(-1)
    })

    it('fail if the file cannot be opened or read', async () => {
      // by a reader, since a Response of Firefox makes an error of its own of every one
      await expect(fs.createReadStream('/missing').getReader().read()).to.eventually.be.rejected.with.include({ code: 'ENOENT', syscall: 'open', path: '/missing' })
      await expect(fs.createReadStream('/dir').getReader().read()).to.eventually.be.rejected.with.include({ code: 'EISDIR', syscall: 'read' })
      await expect(fs.createReadStream('/new', { flags: 'w' }).getReader().read()).to.eventually.be.rejected.with.include({ code: 'EBADF', syscall: 'read' })
    })

    it('refuse invalid options at once', () => {
      expect(() => fs.createReadStream('/file', { start: -1 })).to.throw(RangeError).with.property('code', 'ERR_OUT_OF_RANGE')
      expect(() => fs.createReadStream('/file', { start: 5, end: 4 })).to.throw(RangeError).with.property('code', 'ERR_OUT_OF_RANGE')
      expect(() => fs.createReadStream('/file', { flags: 'q' })).to.throw(TypeError).with.property('code', 'ERR_INVALID_ARG_VALUE')
      expect(() => fs.createReadStream(5 as unknown as string)).to.throw(TypeError).with.property('code', 'ERR_INVALID_ARG_TYPE')
      expect(() => fs.createReadStream('/file', { encoding: 'utf8' } as object)).to.throw(TypeError).with.property('code', 'ERR_INVALID_ARG_VALUE')
    })

    it('are aborted by a signal', async () => {
      const controller = new AbortController()
      const reader = fs.createReadStream('/large', { highWaterMark: 10, signal: controller.signal }).getReader()
      await reader.read()
      controller.abort(new Error('enough'))

      await expect(reader.read()).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      await expect(fs.createReadStream('/file', { signal: AbortSignal.abort(new Error('before')) }).getReader().read()).to.eventually.be.rejected.with.nested.property('cause.message', 'before')
    })

    it('end when the handle is closed', async () => {
      const reader = handle.readableWebStream().getReader()
      await handle.close()

      expect((await reader.read()).done).to.equal(true)
      expect(handle.fd).to.equal(-1)
    })

    it('are limited to one per handle if created by the handle', async () => {
      expect(await text(handle.readableWebStream())).to.equal('0123456789')
      expect(() => handle.readableWebStream()).to.throw('locked').with.property('code', 'ERR_INVALID_STATE')
      expect(handle.fd).to.be.greaterThan(2)
    })
  })

  describe('writable streams', () => {
    it('write bytes and text into a new file', async () => {
      const writer = fs.createWriteStream('/new').getWriter()
      await writer.write('text ')
      await writer.write(Uint8Array.of(33))
      await writer.close()

      expect(await fs.readFile('/new', 'utf8')).to.equal('text !')
    })

    it('accept a piped stream', async () => {
      await fs.createReadStream('/large').pipeTo(fs.createWriteStream('/copy', { flush: true }))

      expect(await fs.readFile('/copy')).to.deep.equal(large)
    })

    it('begin at the given position', async () => {
      const writer = fs.createWriteStream('/file', { flags: 'r+', start: 3 }).getWriter()
      await writer.write('ab')
      await writer.write('c')
      await writer.close()

      expect(await fs.readFile('/file', 'utf8')).to.equal('012abc6789')
    })

    it('keep what was written when aborted', async () => {
      const stream = handle.createWriteStream()
      const writer = stream.getWriter()
      await writer.write('abc')
      await writer.abort(new Error('enough'))

      expect(await fs.readFile('/file', 'utf8')).to.equal('abc3456789')
      expect(handle.fd).to.equal(-1)
    })

    it('are aborted by a signal', async () => {
      const controller = new AbortController()
      const writer = fs.createWriteStream('/new', { signal: controller.signal }).getWriter()
      await writer.write('abc')
      controller.abort(new Error('enough'))

      await expect(writer.write('def')).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      await expect(writer.closed).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    })

    it('fail if the file cannot be opened or written', async () => {
      const missing = fs.createWriteStream('/no/where').getWriter()
      await expect(missing.closed).to.eventually.be.rejected.with.include({ code: 'ENOENT', syscall: 'open' })
      const reading = await fs.open('/file')
      const writer = reading.createWriteStream().getWriter()
      const closed = expect(writer.closed).to.eventually.be.rejected.with.property('code', 'EBADF')
      await expect(writer.write('x')).to.eventually.be.rejected.with.include({ code: 'EBADF', syscall: 'write' })
      await closed
      expect(reading.fd).to.equal(-1)
    })

    it('fail if the handle is closed', async () => {
      const writer = handle.createWriteStream().getWriter()
      await writer.write('abc')
      const closed = expect(writer.closed).to.eventually.be.rejected.with.property('code', 'EBADF')
      await handle.close()

      await closed
      expect(handle.fd).to.equal(-1)
    })
  })
})
