import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import { dagfs, fixedSize } from '../../src/index.ts'
import type { BlockStore, DagFs, FileHandle, FileLayout, ReadonlyDagFs } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'
import '../seed.ts'

/** A layout so small that a few bytes make several levels. */
const tiny: FileLayout = { chunker: fixedSize(4), width: 3, inlineBytes: 2 }

/** A memory store whose answers come in an order of their own, and whose puts fail where they are told to. */
class UnsteadyStore implements BlockStore {
  readonly #inner = new MemoryBlockstore()
  readonly #pace: () => Promise<void>
  readonly #fails: () => boolean

  constructor (pace: () => Promise<void>, fails: () => boolean) {
    this.#pace = pace
    this.#fails = fails
  }

  async * get (cid: CID): AsyncGenerator<Uint8Array> {
    await this.#pace()
    yield * this.#inner.get(cid)
  }

  async put (cid: CID, bytes: Uint8Array): Promise<CID> {
    await this.#pace()

    if (this.#fails()) {
      throw Object.assign(new Error('the store is full'), { code: 'FULL' })
    }

    return this.#inner.put(cid, bytes)
  }
}

interface Storm {
  readonly fs: DagFs
  readonly handles: FileHandle[]
}

type Gust = (storm: Storm) => Promise<unknown>

const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }).map(names => `/${names.join('/')}`)
const small = fc.nat(30)

function onHandle (use: (handle: FileHandle) => Promise<unknown>): fc.Arbitrary<Gust> {
  return fc.nat(5).map(i => async ({ handles }) => handles.length === 0 ? undefined : use(handles[i % handles.length]))
}

const gust: fc.Arbitrary<Gust> = fc.oneof(
  fc.tuple(path, small).map(([to, length]): Gust => async ({ fs }) => fs.writeFile(to, 'x'.repeat(length))),
  path.map((to): Gust => async ({ fs }) => fs.appendFile(to, 'yy')),
  path.map((to): Gust => async ({ fs }) => fs.mkdir(to, { recursive: true })),
  fc.tuple(path, path).map(([from, to]): Gust => async ({ fs }) => fs.rename(from, to)),
  fc.tuple(path, path).map(([from, to]): Gust => async ({ fs }) => fs.cp(from, to, { recursive: true })),
  path.map((from): Gust => async ({ fs }) => fs.rm(from, { recursive: true })),
  path.map((from): Gust => async ({ fs }) => fs.readFile(from)),
  fc.constant<Gust>(async ({ fs }) => fs.commit()),
  fc.tuple(path, fc.boolean()).map(([to, fails]): Gust => async ({ fs }) => fs.addAll([{ path: to, content: 'added' }, { path: `${to}/new`, content: 'new' }, ...(fails ? [{ path: '/..', content: '' }] : [])])),
  fc.tuple(path, fc.constantFrom('r', 'r+', 'w+', 'a+')).map(([to, flags]): Gust => async ({ fs, handles }) => handles.push(await fs.open(to, flags))),
  fc.tuple(small, small).chain(([at, length]) => onHandle(async handle => handle.write('z'.repeat(length), at))),
  small.chain(length => onHandle(async handle => handle.truncate(length))),
  onHandle(async handle => handle.sync()),
  fc.nat(5).map((i): Gust => async ({ handles }) => handles.splice(i, 1).at(0)?.close())
)

const expectedCodes = ['EBADF', 'EEXIST', 'EINVAL', 'EISDIR', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'FULL']

async function attempt (storm: Storm, each: Gust): Promise<void> {
  await each(storm).catch(err => {
    if (!String(err.code).startsWith('ERR_FS_')) {
      expect(err.code, err.stack).to.be.oneOf(expectedCodes)
    }
  })
}

/** Everything that can be seen of a tree. */
async function dump (fs: ReadonlyDagFs): Promise<Array<[path: string, kind: string, size: number, content: string]>> {
  const entries: Array<[string, string, number, string]> = []

  for await (const { path: at, kind, size } of fs.walk()) {
    entries.push([at, kind, size, kind === 'file' ? await fs.readFile(at, 'latin1') : ''])
  }

  return entries
}

describe('many concurrent edits', () => {
  [0, 600, 2_000, 1_000_000].forEach(draftBytes => {
    it(`leave a complete tree on an unreliable store, with ${draftBytes} bytes for the draft`, async () => {
      await fc.assert(fc.asyncProperty(fc.array(fc.array(gust, { minLength: 5, maxLength: 12 }), { minLength: 4, maxLength: 12 }), fc.infiniteStream(fc.nat(3)), fc.infiniteStream(fc.nat(11)), async (gusts, delays, failures) => {
        const state = { canFail: true }
        const pace = async (): Promise<void> => {
          for (let turns = delays.next().value; turns > 0; turns--) {
            await new Promise(resolve => setTimeout(resolve, 0))
          }
        }
        const fs = dagfs({ blockstore: new UnsteadyStore(pace, () => state.canFail && failures.next().value === 0) }, { layout: tiny, draftBytes })
        const storm = { fs, handles: [] }

        for (const each of gusts) {
          await Promise.all(each.map(async one => attempt(storm, one)))
        }

        state.canFail = false
        const before = await dump(fs)
        const bytes = before.reduce((sum, [, , , content]) => sum + content.length, 0)
        expect((await fs.stat('/')).size).to.equal(bytes)
        expect(before.every(([, kind, size, content]) => kind !== 'file' || size === content.length)).to.equal(true)

        const { root } = await fs.commit()
        expect(await dump(fs.at(root))).to.deep.equal(before)
        const fresh = dagfs({ blockstore: new MemoryBlockstore() }, { layout: tiny })

        for (const [at, kind, , content] of before) {
          await (kind === 'file' ? fresh.writeFile(at, content, 'latin1') : fresh.mkdir(at))
        }

        expect(String((await fresh.commit()).root)).to.equal(String(root))
      }), { numRuns: 15 })
    })
  })
})
