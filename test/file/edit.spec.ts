import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { blockReader } from '../../src/blockstore/index.ts'
import { createBlock, rawCode } from '../../src/codec/index.ts'
import { editFile, fixedSize, writeFile } from '../../src/file/index.ts'
import { CountingStore } from '../stores.ts'
import type { Block, Part } from '../../src/codec/index.ts'
import type { FileEdit, FileLayout, StoredFile } from '../../src/file/index.ts'
import '../seed.ts'

const chunkBytes = 4
const tiny: FileLayout = { chunker: fixedSize(chunkBytes), width: 3, inlineBytes: 2 }

/** Sizes in threes around the inline limit, a chunk, a full index block and a full second level. */
const sizes = [3, 4, 5, 7, 8, 9, 11, 12, 13, 35, 36, 37, 107, 108, 109, 110, 333]

function counted (length: number, seed = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i + seed) % 251)
}

describe('file edit', () => {
  let store: CountingStore
  const put = async ({ cid, bytes }: Block): Promise<void> => { await store.put(cid, bytes) }

  beforeEach(() => {
    store = new CountingStore()
  })

  async function part (bytes: Uint8Array): Promise<Part> {
    const block = await createBlock(rawCode, bytes)

    return { length: bytes.byteLength, link: block.cid }
  }

  /** The edit that makes new bytes of old ones: told chunk by chunk, and only of what differs. */
  async function difference (before: Uint8Array, after: Uint8Array, kept: number): Promise<FileEdit> {
    const parts = new Map<number, Part>()

    for (let i = 0; i * chunkBytes < after.byteLength; i++) {
      const chunk = after.slice(i * chunkBytes, (i + 1) * chunkBytes)
      const old = before.slice(i * chunkBytes, (i + 1) * chunkBytes)
      const isHole = i >= kept && chunk.byteLength === chunkBytes && chunk.every(byte => byte === 0)
      const isKept = i < kept && String(old) === String(chunk)

      if (!isHole && !isKept) {
        parts.set(i, await part(chunk))
      }
    }

    return { size: after.byteLength, kept, parts, hole: await part(new Uint8Array(chunkBytes)) }
  }

  async function edit (old: StoredFile, change: FileEdit, layout = tiny): Promise<StoredFile | undefined> {
    return editFile(blockReader(store), put, old, layout, change, {})
  }

  async function expectFresh (before: Uint8Array, after: Uint8Array, kept: number): Promise<void> {
    const old = await writeFile(put, before, tiny)
    const fresh = await writeFile(async () => {}, after, tiny)
    const edited = await edit(old, await difference(before, after, kept))

    expect(edited?.size).to.equal(after.byteLength)
    expect(String(edited?.content)).to.equal(String(fresh.content))
  }

  for (const from of [0, 1, 2, ...sizes]) {
    it(`resizes ${from} bytes to what a fresh write of any size gives`, async () => {
      for (const to of sizes) {
        await expectFresh(counted(from), counted(to), Math.ceil(from / chunkBytes))
      }
    })
  }

  it('gives what a fresh write gives after truncation and extension with holes', async () => {
    const size = fc.constantFrom(...sizes)

    await fc.assert(fc.asyncProperty(size, size, fc.nat(90), fc.array(fc.tuple(fc.nat(333), fc.nat(255)), { maxLength: 5 }), async (from, to, kept, writes) => {
      const before = counted(from, 7)
      const keptChunks = Math.min(kept, Math.ceil(from / chunkBytes))
      const after = new Uint8Array(to)
      after.set(before.subarray(0, Math.min(to, keptChunks * chunkBytes)))

      for (const [position, byte] of writes) {
        after.fill(byte, position % to, position % to + 1)
      }

      await expectFresh(before, after, keptChunks)
    }))
  })

  it('puts only the index blocks above a changed chunk', async () => {
    const before = counted(400)
    const after = counted(400)
    after[201] = 255
    const old = await writeFile(put, before, tiny)
    store.reset()
    await edit(old, await difference(before, after, 100))

    // 100 chunks under a width of 3 are five levels of index
    expect(store.puts).to.equal(5)
    expect(store.gets).to.be.at.most(5)
  })

  it('creates a file of 2^50 zeros from few blocks', async () => {
    const layout = { chunker: fixedSize(4), width: 1024, inlineBytes: 2 }
    const hole = await part(new Uint8Array(4))
    const edited = await edit({ content: new Uint8Array(0), size: 0 }, { size: 2 ** 50, kept: 0, parts: new Map(), hole }, layout)

    expect(edited?.size).to.equal(2 ** 50)
    expect(store.puts).to.be.at.most(10)
  })

  it('returns undefined for a file of another layout', async () => {
    const old = await writeFile(put, counted(400), { ...tiny, width: 4 })
    const other = await writeFile(put, counted(400), { ...tiny, chunker: fixedSize(5) })
    const parts = new Map([[3, await part(counted(4))]])

    for (const stored of [old, other]) {
      expect(await edit(stored, { size: 400, kept: 100, parts })).to.equal(undefined)
    }
  })
})
