import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MemoryBlockstore } from 'blockstore-core'
import { contenderKeys, contenderOf } from '../src/cases/headers/contenders/index.ts'
import { bytesOf, sourceFile } from '../src/cases/headers/operations/source-files.ts'
import type { TreeStore } from '../src/cases/headers/contenders/index.ts'

const FILE_BYTES = 2 ** 21
const PATH = '/bench.txt'
const SEED = 'a file'
/**
 * Longer than any node that is not a piece of the file
 */
const PIECE_BYTES = 2 ** 17
/**
 * Bytes of the file that are looked for in blocks
 */
const FOUND_BYTES = 32

/**
 * A store that counts the pieces of files that are put, and, once it is told to, gives one bit of the file otherwise
 */
class DamagingStore implements TreeStore {
  readonly #store = new MemoryBlockstore()
  pieces = 0
  damages = false
  damaged = 0

  async * get (cid: Parameters<TreeStore['get']>[0]): ReturnType<TreeStore['get']> {
    for await (const bytes of this.#store.get(cid)) {
      const at = this.damages ? Buffer.from(bytes).indexOf(bytesOf(SEED, FILE_BYTES).subarray(0, FOUND_BYTES)) : -1

      if (at < 0) {
        yield bytes
        continue
      }

      const other = bytes.slice()

      other[at] ^= 1
      this.damaged++
      yield other
    }
  }

  async put (...[cid, bytes]: Parameters<TreeStore['put']>): Promise<typeof cid> {
    if (bytes instanceof Uint8Array && bytes.byteLength > PIECE_BYTES) {
      this.pieces++
    }

    return this.#store.put(cid, bytes)
  }

  async has (cid: Parameters<TreeStore['has']>[0]): Promise<boolean> {
    return this.#store.has(cid)
  }
}

for (const key of contenderKeys) {
  describe(`the description of ${key}`, () => {
    const { verifies, chunkBytes, open } = contenderOf(key)

    it(`says that it ${verifies ? 'refuses' : 'does not notice'} wrong blocks, and splits files into ${chunkBytes / 1024} KiB`, async () => {
      const store = new DamagingStore()
      const tree = await (await open()).create(store)
      const { bytes, attributes } = sourceFile(PATH, FILE_BYTES, SEED)

      await tree.write(PATH, bytes, attributes)
      await tree.commit()
      assert.equal(store.pieces, FILE_BYTES / chunkBytes)

      store.damages = true

      const reading = (await tree.reopen()).read(PATH)

      if (verifies) {
        await assert.rejects(reading)
      } else {
        assert.notDeepEqual(await reading, bytes)
      }

      assert.ok(store.damaged > 0)
    })
  })
}
