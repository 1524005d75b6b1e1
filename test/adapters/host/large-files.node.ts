import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { PieceMemory, pieceBytes } from '../../../src/adapters/host/piece-memory.ts'
import { readHostFile, readInPieces } from '../../../src/adapters/host/read-host-file.ts'
import { concat } from '../../../src/bytes.ts'
import { dagfs, dagfs1, fixedSize } from '../../../src/index.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { below, random } from '../../seed.ts'
import { openDescriptors, temporaryDirectory } from './host.ts'
import type { Chunker } from '../../../src/index.ts'

describe('adapters/host/large files', () => {
  const next = random()
  let source: string
  let remove: () => void

  before(() => {
    ({ path: source, remove } = temporaryDirectory())

    for (const [name, bytes] of Object.entries({ a: 5 * pieceBytes, b: 3 * pieceBytes + 1, c: 2 * pieceBytes - 1, d: pieceBytes + 1, e: 7 * pieceBytes + 4_321 })) {
      nodefs.writeFileSync(join(source, name), randomBytes(bytes))
    }
  })

  after(() => {
    remove()
  })

  function randomBytes (length: number): Uint8Array {
    return Uint8Array.from({ length }, () => below(next, 256))
  }

  const uneven: Chunker = {
    maxChunkBytes: 800_000,
    firstChunkBytes: bytes => Math.min(bytes.byteLength, 1 + (bytes[0] * 3_001))
  }

  async function checkStored (chunker: Chunker): Promise<void> {
    const { path, remove } = temporaryDirectory()

    try {
      const store = new PackBlockstore(join(path, 'store'))
      await store.open()
      const fs = dagfs({ blockstore: store }, { layout: { ...dagfs1, chunker } })
      await importDirectory(fs, source)
      await fs.commit()

      expect((await store.verify()).problems).to.be.empty()

      for (const file of nodefs.readdirSync(source)) {
        expect(Buffer.compare(await fs.readFile(`/${file}`), nodefs.readFileSync(join(source, file)))).to.equal(0, file)
      }

      await store.close()
    } finally {
      remove()
    }
  }

  for (const [name, chunker] of Object.entries({ 'chunks of a piece': fixedSize(pieceBytes), 'chunks that lie across pieces': fixedSize(700_001), 'chunks of any length': uneven })) {
    it(`stores every byte correctly from reused memory: ${name}`, async () => checkStored(chunker))
  }

  it('reuses memory only when nobody holds a view of it', () => {
    const memory = new PieceMemory()
    const parts: Uint8Array[] = []
    const seen = new Set<ArrayBufferLike>()

    for (let i = 0; i < 2_000; i++) {
      if (parts.length < 20 || below(next, 2) === 0) {
        const piece = memory.lend(memory.take())
        expect(parts.some(({ buffer }) => buffer === piece.buffer)).to.equal(false)
        seen.add(piece.buffer)
        const cut = 1 + below(next, pieceBytes - 1)
        parts.push(piece.subarray(0, cut), piece.subarray(cut))
      } else {
        memory.giveBack(parts.splice(below(next, parts.length), 1)[0])
      }

      while (parts.length > 40) {
        memory.giveBack(parts.splice(below(next, parts.length), 1)[0])
      }
    }

    expect(seen.size).to.be.lessThan(200)
  })

  it('does not reuse foreign buffers or partial pieces', () => {
    const memory = new PieceMemory()
    const strange = new Uint8Array(pieceBytes)
    const part = memory.lend(memory.take().subarray(1))
    memory.giveBack(strange)
    memory.giveBack(part)
    memory.giveBack(part)

    expect([strange.buffer, part.buffer]).to.not.include(memory.take().buffer)
  })

  it('reads ahead one piece, and closes the file when the reader stops', async () => {
    const path = join(source, 'e')
    const { stat } = readHostFile(path, () => undefined)
    const before = openDescriptors(nodefs)
    const found: Uint8Array[] = []

    for await (const piece of readInPieces(path, stat, new PieceMemory())) {
      found.push(piece)

      if (found.length === 3) {
        break
      }
    }

    expect(Buffer.compare(concat(found), nodefs.readFileSync(path).subarray(0, 3 * pieceBytes))).to.equal(0)
    expect(openDescriptors(nodefs)).to.equal(before)
  })

  it('reports a read-ahead failure when its piece is due', async () => {
    const path = join(source, 'e')
    const { stat } = readHostFile(path, () => undefined)
    const pieces = readInPieces(path, stat, new PieceMemory())
    await pieces.next()
    // the pieces that were read are still whole; the file is not
    nodefs.truncateSync(path, pieceBytes)

    await expect(all(pieces)).to.eventually.be.rejected.with.property('code', 'ERR_SOURCE_CHANGED')
  })
})
