import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import all from 'it-all'
import { dagfs, dagfs1, fixedSize } from '../../../src/index.ts'
import { CountingStore } from '../../stores.ts'
import type { DagFs, FileHandle, FileLayout } from '../../../src/index.ts'
import '../../seed.ts'

/** A layout so small that a few bytes make several levels. */
const tiny: FileLayout = { chunker: fixedSize(4), width: 3, inlineBytes: 2 }

function counted (length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => i % 251)
}

async function freshRoot (path: string, content: Uint8Array, layout: FileLayout): Promise<string> {
  const fs = dagfs({ blockstore: new MemoryBlockstore() }, { layout })
  await fs.addAll([{ path, content }])

  return String((await fs.commit()).root)
}

type Step =
  | { readonly what: 'write', readonly at: number, readonly length: number, readonly byte: number }
  | { readonly what: 'append', readonly length: number, readonly byte: number }
  | { readonly what: 'truncate', readonly length: number }
  | { readonly what: 'sync' | 'commit' | 'rename' }

const size = fc.constantFrom(0, 1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 35, 36, 37, 60)
const length = fc.constantFrom(1, 3, 4, 5, 8, 13)
const byte = fc.nat(255)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant('write' as const), at: size, length, byte }),
  fc.record({ what: fc.constant('append' as const), length, byte }),
  fc.record({ what: fc.constant('truncate' as const), length: size }),
  fc.record({ what: fc.constantFrom('sync' as const, 'commit' as const, 'rename' as const) })
)

/** What a file has to be after a step. */
function model (before: Uint8Array, step: Step): Uint8Array {
  if (step.what === 'truncate') {
    const after = new Uint8Array(step.length)
    after.set(before.subarray(0, step.length))

    return after
  }

  if (step.what !== 'write' && step.what !== 'append') {
    return before
  }

  const at = step.what === 'write' ? step.at : before.byteLength
  const after = new Uint8Array(Math.max(before.byteLength, at + step.length))
  after.set(before)
  after.fill(step.byte, at, at + step.length)

  return after
}

describe('open files', () => {
  let fs: DagFs

  beforeEach(() => {
    fs = dagfs({ blockstore: new MemoryBlockstore() }, { layout: tiny })
  })

  async function apply (handle: FileHandle, step: Step, paths: string[]): Promise<void> {
    switch (step.what) {
      case 'write':
        await handle.write(new Uint8Array(step.length).fill(step.byte), 0, step.length, step.at)
        break
      case 'append':
        await fs.appendFile(paths[0], new Uint8Array(step.length).fill(step.byte))
        break
      case 'truncate':
        await handle.truncate(step.length)
        break
      case 'sync':
        await handle.sync()
        break
      case 'commit':
        await fs.commit()
        break
      default:
        paths.reverse()
        await fs.rename(paths[1], paths[0])
    }
  }

  [0, 20, 2 ** 20].forEach(draftBytes => {
    it(`have the CID of a fresh file after edits, in a ${draftBytes}-byte draft`, async () => {
      await fc.assert(fc.asyncProperty(size, fc.array(step, { maxLength: 12 }), async (start, steps) => {
        fs = dagfs({ blockstore: new MemoryBlockstore() }, { layout: tiny, draftBytes })
        const paths = ['/dir/a', '/dir/b']
        let expected = counted(start)
        await fs.mkdir('/dir')
        await fs.writeFile(paths[0], expected)
        await fs.commit()
        const handle = await fs.open(paths[0], 'r+')

        for (const each of steps) {
          await apply(handle, each, paths)
          expected = model(expected, each)
          expect(await fs.readFile(paths[0])).to.deep.equal(expected)
          expect((await fs.stat('/dir')).size).to.equal(expected.byteLength)
          expect((await handle.stat()).size).to.equal(expected.byteLength)
        }

        const isOpen = steps.length % 2 === 0
        await (isOpen ? undefined : handle.close())
        expect(String((await fs.commit()).root)).to.equal(await freshRoot(paths[0], expected, tiny))
      }), { numRuns: 60 })
    })
  })

  it('follow renames of their parent directories', async () => {
    await fs.mkdir('/a/b', { recursive: true })
    await using handle = await fs.open('/a/b/file', 'w+')
    await handle.write('one')
    await fs.rename('/a', '/c')
    await handle.write(' two')
    await fs.commit()
    await fs.rename('/c/b', '/b')
    await handle.write(' three')

    expect(await fs.readFile('/b/file', 'utf8')).to.equal('one two three')
    expect((await all(fs.walk())).map(({ path }) => path)).to.deep.equal(['/b', '/b/file', '/c'])
  })

  it('follow renames and see writes by path when opened for reading', async () => {
    await fs.mkdir('/a')
    await fs.writeFile('/a/file', 'stored content')
    await fs.commit()
    await using handle = await fs.open('/a/file')
    await fs.rename('/a', '/b')
    await fs.writeFile('/b/file', 'written by path')
    await fs.commit()

    expect(await handle.readFile('utf8')).to.equal('written by path')
    await handle.chmod(0o600)
    expect((await fs.stat('/b/file')).mode & 0o777).to.equal(0o600)
  })

  it('stay usable after removal, and leave nothing', async () => {
    await fs.writeFile('/file', 'content')
    const { root } = await fs.commit()
    const [writer, reader] = [await fs.open('/file', 'r+'), await fs.open('/file')]
    await fs.unlink('/file')
    await writer.write('CON', 0)
    await fs.writeFile('/file', 'another')

    expect(await reader.readFile('utf8')).to.equal('CONtent')
    await writer.close()
    await reader.close()
    await fs.writeFile('/file', 'content')
    expect(String((await fs.commit()).root)).to.equal(String(root))
  })

  it('stay usable after a rename over them', async () => {
    await fs.writeFile('/old', 'old')
    await fs.writeFile('/new', 'new')
    await using handle = await fs.open('/old', 'r+')
    await fs.rename('/new', '/old')
    await handle.write('OLD', 0)

    expect(await fs.readFile('/old', 'utf8')).to.equal('new')
    expect(await handle.readFile({ encoding: 'utf8' })).to.equal('OLD')
  })

  it('keep what was written during a commit', async () => {
    const store = new CountingStore()
    fs = dagfs({ blockstore: store }, { layout: tiny })
    await using handle = await fs.open('/file', 'w+')
    await handle.write('first version')
    const progress = { isDone: false }
    const committing = fs.commit().finally(() => { progress.isDone = true })
    const written = ['first version']

    while (!progress.isDone) {
      await handle.write(` ${written.length}`)
      written.push(` ${written.length}`)
    }

    await committing
    expect(await fs.readFile('/file', 'utf8')).to.equal(written.join(''))
    const { root } = await fs.commit()
    expect(await fs.at(root).readFile('/file', 'utf8')).to.equal(written.join(''))
  })

  it('keep what was written before they were closed during a commit, at whichever turn', async () => {
    for (const draftBytes of [1, 2 ** 20]) {
      for (let turns = 0; turns < 100; turns++) {
        fs = dagfs({ blockstore: new MemoryBlockstore() }, { draftBytes })
        await fs.addAll([{ path: '/d/file', content: 'what was' }])
        const handle = await fs.open('/d/file', 'r+')
        const commit = fs.commit()

        for (let turn = 0; turn < turns; turn++) {
          await Promise.resolve()
        }

        await handle.truncate(4)
        await handle.close()
        await commit
        expect(await fs.readFile('/d/file', 'utf8')).to.equal('what')
      }
    }
  })

  it('keep their edits after a failed commit, and are in the next', async () => {
    for (let failing = 1; ; failing++) {
      const store = new CountingStore()
      fs = dagfs({ blockstore: store }, { layout: tiny })
      await fs.mkdir('/dir')
      await fs.writeFile('/dir/file', counted(50))
      const { root } = await fs.commit()
      await using handle = await fs.open('/dir/file', 'r+')
      await handle.write(new Uint8Array(10), 0, 10, 20)
      store.failPutAt = store.puts + failing
      const failure = await fs.commit().then(() => undefined, err => err)
      store.failPutAt = Number.POSITIVE_INFINITY
      await handle.write(new Uint8Array(1), 0, 1, 49)
      const expected = counted(50).fill(0, 20, 30).fill(0, 49)

      expect(await fs.at(root).readFile('/dir/file')).to.deep.equal(counted(50))
      expect(await fs.readFile('/dir/file')).to.deep.equal(expected)
      expect(String((await fs.commit()).root)).to.equal(await freshRoot('/dir/file', expected, tiny))

      if (failure === undefined) {
        expect(failing).to.be.above(4)
        return
      }

      expect(failure).to.have.property('message', 'the store is full')
    }
  })

  it('are restored if addAll fails that replaced them', async () => {
    await fs.writeFile('/file', 'content')
    await fs.commit()
    await using handle = await fs.open('/file', 'r+')
    await handle.write('CON', 0)

    for (const draftBytes of [0, 2 ** 20]) {
      const other = dagfs({ blockstore: new MemoryBlockstore() }, { layout: tiny, draftBytes })
      await other.writeFile('/file', 'content')
      await using file = await other.open('/file', 'r+')
      await file.write('CON', 0)
      await expect(other.addAll([{ path: '/file', content: 'new' }, { path: '/dir/x', content: 'x' }, { path: '/file/x', content: '' }])).to.eventually.be.rejected.with.property('code', 'ENOTDIR')
      await file.write('TENT', 3)

      expect(await other.readFile('/file', 'utf8')).to.equal('CONTENT')
      expect((await other.stat('/')).size).to.equal(7)
      expect((await all(other.ls())).map(({ name }) => name)).to.deep.equal(['file'])
    }
  })

  it('are rewritten completely with a content-defined chunker', async () => {
    const chunker = { maxChunkBytes: 8, firstChunkBytes: (bytes: Uint8Array) => Math.min(bytes.byteLength, Math.max(1, bytes.findIndex(each => each % 5 === 0) + 1)) }
    const layout = { chunker, width: 3, inlineBytes: 2 }
    fs = dagfs({ blockstore: new MemoryBlockstore() }, { layout })
    await fs.writeFile('/file', counted(100))
    await fs.commit()
    await using handle = await fs.open('/file', 'r+')
    await handle.write(Uint8Array.of(1, 2, 3), 0, 3, 40)
    const expected = counted(100)
    expected.set([1, 2, 3], 40)

    expect(String((await fs.commit()).root)).to.equal(await freshRoot('/file', expected, layout))
  })

  it('refuse to grow beyond 2^53-1 bytes', async () => {
    await using handle = await fs.open('/file', 'w')

    await expect(handle.write('ab', Number.MAX_SAFE_INTEGER - 1)).to.eventually.be.rejected.with.property('code', 'EFBIG')
  })

  it('cost a leaf and the index above it for 4 KiB amid 1 GiB', async () => {
    const store = new CountingStore()
    fs = dagfs({ blockstore: store }, { layout: dagfs1 })
    await fs.writeFile('/large', '')
    // one block of zeros, 1,024 times: the index is as large as any of 1 GiB
    await fs.truncate('/large', 2 ** 30)
    await fs.commit()
    store.reset()
    await using handle = await fs.open('/large', 'r+')
    await handle.write(counted(4_096), 0, 4_096, 2 ** 29)
    await handle.sync()

    expect(store.puts).to.equal(2)
    expect(store.gets).to.be.at.most(4)
    await fs.commit()
    expect(store.puts).to.equal(3)
  })

  it('put chunks early when they exceed the budget', async () => {
    const store = new CountingStore()
    fs = dagfs({ blockstore: store }, { layout: tiny, draftBytes: 1_000 })
    await using handle = await fs.open('/file', 'w+')

    for (let i = 0; i < 100; i++) {
      await handle.write(counted(40))
    }

    expect(store.puts).to.be.above(3)
    expect((await handle.stat()).size).to.equal(4_000)
    const bytes = Uint8Array.from({ length: 4_000 }, (_, i) => i % 40)
    expect(await fs.readFile('/file')).to.deep.equal(bytes)
    expect(String((await fs.commit()).root)).to.equal(await freshRoot('/file', bytes, tiny))
  })
})
