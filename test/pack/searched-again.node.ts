import { hash } from 'node:crypto'
import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { concat } from '../../src/bytes.ts'
import { maxBlockBytes, writeHead } from '../../src/pack/format/section.ts'
import { changedFiles } from './changed-files.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, bytesOf, Directories, putAll, withStore } from './stores.ts'

/** A section that is whole: an empty block */
function emptySection (): Uint8Array {
  const bytes = new Uint8Array(37)
  writeHead(bytes, 0, Uint8Array.of(0x55, 0x12, 0x20, ...hash('sha256', new Uint8Array(0), 'buffer')), 0)

  return bytes
}

/** The head of a section that reaches as far as one can */
function fakeHead (): Uint8Array {
  const head = new Uint8Array(40)
  writeHead(head, 0, Uint8Array.of(0x55, 0x12, 0x20, ...bytesOf(1, 32)), maxBlockBytes)

  // the next one may begin within the hash
  return head.subarray(0, 8)
}

function repeated (part: Uint8Array, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => part[i % part.byteLength])
}

describe('a segment of a pack store that is searched repeatedly', function () {
  this.timeout(60_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** How many bytes are read of a file to open a store without an index, for each that stands in it */
  async function readForByte (content: Uint8Array, behind: Uint8Array): Promise<number> {
    const directory = await directories.make()
    await withStore(directory, {}, async store => {
      await putAll(store, await blocks(4, 1_000))
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })
    const path = join(directory, 'segment-00000001.car')
    await appendFile(path, concat([content, behind]))
    await rm(join(directory, 'index.sqlite'))
    let read = 0
    const files = changedFiles(file => ({
      async read (bytes, position) {
        const length = await file.read(bytes, position)
        read += length

        return length
      }
    }))
    await withStore(directory, { files, readonly: true }, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    })

    return read / (await stat(path)).size
  }

  it('is read a bounded number of times with empty sections between invalid bytes', async () => {
    // 1,379 bytes that are none, each in front of an empty section
    expect(await readForByte(repeated(concat([Uint8Array.of(0), emptySection()]), 2 ** 16), new Uint8Array(2 ** 20))).to.be.below(64)
  })

  it('is hashed a bounded number of times with long heads between empty sections', async () => {
    const heads = concat([fakeHead(), fakeHead(), fakeHead(), new Uint8Array(32), emptySection()])
    expect(await readForByte(repeated(heads, 2 ** 14), new Uint8Array(2 ** 22))).to.be.below(64)
  })

  for (const [count, length] of [[400, 1_000], [30, 300_000]]) {
    it(`reveals blocks between ${count / 2} damaged heads of blocks of ${length} bytes`, async () => {
      const directory = await directories.make()
      const put = await blocks(count, length)
      await withStore(directory, {}, async store => {
        await putAll(store, put)
        await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
      })
      const path = join(directory, 'segment-00000001.car')
      const content = await readFile(path)
      put.filter((_, i) => i % 2 === 1).forEach(({ cid }) => {
        // the length leads past the next head, or nowhere
        content[content.indexOf(cid.bytes) - 1] ^= 1
      })
      await writeFile(path, content)
      await rm(join(directory, 'index.sqlite'))
      await withStore(directory, { readonly: true }, async store => expectBlocks(store, put.filter((_, i) => i % 2 === 0)))
    })
  }
})
