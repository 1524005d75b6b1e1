import { expect } from 'aegir/chai'
import fc from 'fast-check'
import all from 'it-all'
import { blockReader } from '../../src/blockstore/index.ts'
import { createBlock, dagCborCode, decodeParts, encodeParts, rawCode } from '../../src/codec/index.ts'
import { dagfs1, fixedSize, readFile, writeFile } from '../../src/file/index.ts'
import { CountingStore } from '../stores.ts'
import type { Block, Content, Part } from '../../src/codec/index.ts'
import type { FileLayout, StoredFile } from '../../src/file/index.ts'
import type { CID } from 'multiformats/cid'
import '../seed.ts'

/** A layout so small that a few bytes make several levels. */
const tiny: FileLayout = { chunker: fixedSize(4), width: 3, inlineBytes: 2 }

function counted (length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => i % 251)
}

function formOf (content: Content): string {
  if (content instanceof Uint8Array) {
    return 'inlined'
  }

  return content.code === rawCode ? 'one raw block' : 'an index'
}

/** The index that the balanced layout asks for, written down level by level. */
async function slowIndex (bytes: Uint8Array, chunkBytes: number, width: number): Promise<CID> {
  let level: Part[] = []

  for (let i = 0; i < bytes.length; i += chunkBytes) {
    const chunk = bytes.slice(i, i + chunkBytes)
    level.push({ length: chunk.length, link: (await createBlock(rawCode, chunk)).cid })
  }

  while (level.length > 1) {
    const above: Part[] = []

    for (let i = 0; i < level.length; i += width) {
      const parts = level.slice(i, i + width)
      above.push({ length: parts.reduce((sum, { length }) => sum + length, 0), link: (await createBlock(dagCborCode, encodeParts(parts))).cid })
    }

    level = above
  }

  return level[0].link
}

describe('file', () => {
  let store: CountingStore
  let blocks: Block[]

  beforeEach(() => {
    store = new CountingStore()
    blocks = []
  })

  async function write (source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, layout: FileLayout): Promise<StoredFile> {
    return writeFile(async block => {
      blocks.push(block)
      await store.inner.put(block.cid, block.bytes)
    }, source, layout)
  }

  async function read (file: StoredFile, offset = 0, length = Number.MAX_SAFE_INTEGER): Promise<Uint8Array> {
    const pieces = await all(readFile(blockReader(store.inner), file, offset, length, {}))

    return Uint8Array.from(pieces.flatMap(piece => [...piece]))
  }

  describe('write', () => {
    const mib = 2 ** 20
    const forms: Array<[bytes: number, form: string, blocks: number]> = [
      [0, 'inlined', 0],
      [1, 'inlined', 0],
      [2_047, 'inlined', 0],
      [2_048, 'inlined', 0],
      [2_049, 'one raw block', 1],
      [mib - 1, 'one raw block', 1],
      [mib, 'one raw block', 1],
      [mib + 1, 'an index', 3]
    ]

    forms.forEach(([bytes, form, count]) => {
      it(`stores ${bytes} bytes as ${form}`, async () => {
        const { content, size } = await write([counted(bytes)], dagfs1)

        expect(size).to.equal(bytes)
        expect(formOf(content)).to.equal(form)
        expect(blocks).to.have.lengthOf(count)
      })
    })

    it('shares its leaves with unixfs-v1-2025', async () => {
      const { content } = await write([new TextEncoder().encode('hello world')], { ...dagfs1, inlineBytes: 0 })

      expect(String(content)).to.equal('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e')
    })

    // one chunk, two, a full index, one more, a full second level, one more
    for (const bytes of [3, 4, 5, 8, 9, 11, 12, 13, 35, 36, 37, 107, 108, 109, 400]) {
      it(`creates the balanced index of ${bytes} bytes in chunks of 4 and width 3`, async () => {
        const { content, size } = await write([counted(bytes)], tiny)

        expect(size).to.equal(bytes)
        expect(String(content)).to.equal(String(await slowIndex(counted(bytes), 4, 3)))
      })
    }

    it('gives the same CID however the stream is split', async () => {
      await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(20), { minLength: 1 }), async (bytes, lengths) => {
        const pieces = []

        for (let i = 0, n = 0; i < bytes.length; n++) {
          const length = lengths[n % lengths.length] + (n < lengths.length ? 0 : 1)
          pieces.push(bytes.slice(i, i + length))
          i += length
        }

        const whole = await write([bytes], tiny)
        const cut = await write(pieces, tiny)

        expect({ ...cut, content: String(cut.content) }).to.deep.equal({ ...whole, content: String(whole.content) })
      }))
    })

    it('puts the chunks before the index', async () => {
      await write([counted(200)], tiny)
      const seen = new Set<string>()

      for (const block of blocks) {
        if (block.cid.code === dagCborCode) {
          expect(decodeParts(block).every(({ link }) => seen.has(String(link)))).to.equal(true)
        }

        seen.add(String(block.cid))
      }
    })

    it('holds a few chunks in memory, however long the stream', async () => {
      let held = 0
      let most = 0

      async function * source (): AsyncGenerator<Uint8Array> {
        for (let i = 0; i < 1_000; i++) {
          held++
          most = Math.max(most, held)
          yield counted(4)
        }
      }

      await writeFile(async block => {
        await new Promise(resolve => setTimeout(resolve, 0))
        held -= block.cid.code === rawCode ? 1 : 0
      }, source(), tiny)

      expect(most).to.be.at.most(8)
    })

    it('fails with the error of put, and closes the stream', async () => {
      let isClosed = false

      async function * source (): AsyncGenerator<Uint8Array> {
        try {
          for (;;) {
            yield counted(4)
          }
        } finally {
          isClosed = true
        }
      }

      await expect(writeFile(async () => { throw new Error('disk full') }, source(), tiny)).to.eventually.be.rejectedWith('disk full')
      expect(isClosed).to.equal(true)
    })

    it('fails with the error of the stream', async () => {
      async function * source (): AsyncGenerator<Uint8Array> {
        yield counted(9)
        throw new Error('connection lost')
      }

      await expect(write(source(), tiny)).to.eventually.be.rejectedWith('connection lost')
    })
  })

  describe('read', () => {
    it('reads any range of any file', async () => {
      await fc.assert(fc.asyncProperty(fc.nat(300), fc.nat(320), fc.nat(320), async (size, offset, length) => {
        const bytes = counted(size)

        expect(await read(await write([bytes], tiny), offset, length)).to.deep.equal(bytes.slice(offset, offset + length))
      }))
    })

    it('reads the narrowest layout of the format', async () => {
      const bytes = counted(200)

      expect(await read(await write([bytes], { chunker: fixedSize(1), width: 2, inlineBytes: 0 }))).to.deep.equal(bytes)
    })

    it('fetches only the blocks of the range', async () => {
      const file = await write([counted(400)], tiny)
      await all(readFile(blockReader(store), file, 201, 2, {}))

      // 100 chunks under a width of 3 are five levels of index; one chunk holds both bytes
      expect(store.gets).to.equal(6)
    })

    async function fails (parts: Part[], size: number): Promise<{ name: string, cid: CID }> {
      const block = await createBlock(dagCborCode, encodeParts(parts))
      await store.inner.put(block.cid, block.bytes)
      const error = await read({ content: block.cid, size }).then(() => undefined, err => err)

      expect(error).to.have.property('name', 'InvalidNodeError')

      return error
    }

    it('refuses an index whose parts do not add up to the file size', async () => {
      const chunk = await createBlock(rawCode, counted(4))
      await store.inner.put(chunk.cid, chunk.bytes)

      await fails([{ length: 4, link: chunk.cid }, { length: 4, link: chunk.cid }], 9)
    })

    it('refuses a chunk whose length differs from its part, naming the chunk', async () => {
      const chunk = await createBlock(rawCode, counted(4))
      await store.inner.put(chunk.cid, chunk.bytes)

      expect(await fails([{ length: 5, link: chunk.cid }, { length: 3, link: chunk.cid }], 8)).to.have.property('cid').that.satisfies(chunk.cid.equals.bind(chunk.cid))
    })

    it('refuses a root of one part', async () => {
      const chunk = await createBlock(rawCode, counted(4))

      await fails([{ length: 4, link: chunk.cid }], 4)
    })

    it('refuses an index nested deeper than any file needs', async () => {
      const chunk = await createBlock(rawCode, counted(1))
      await store.inner.put(chunk.cid, chunk.bytes)
      let link = chunk.cid

      for (let i = 0; i < 53; i++) {
        const block = await createBlock(dagCborCode, encodeParts([{ length: 1, link }]))
        await store.inner.put(block.cid, block.bytes)
        link = block.cid
      }

      await fails([{ length: 1, link }, { length: 1, link }], 2)
    })
  })

  describe('fixedSize', () => {
    for (const chunkBytes of [0, -1, 1.5, 2 ** 20 + 1, Number.NaN]) {
      it(`refuses chunks of ${chunkBytes} bytes`, () => {
        expect(() => fixedSize(chunkBytes)).to.throw().with.include({ name: 'InvalidOptionError', option: 'chunkBytes' })
      })
    }
  })
})
