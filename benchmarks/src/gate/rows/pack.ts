import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import toBuffer from 'it-to-buffer'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import { SeededRandom, keystream } from '../../corpora/keystream.ts'
import type { GateRow, OpenRow } from './row.ts'
import type { PackBlockstore } from 'dagfs/pack'
import type { InputPair } from 'interface-blockstore'

const BLOCKS = 1_000
const BLOCK_BYTES = 1_000
const GETS = 500
const SEED = 'dagfs/gate/pack'

/**
 * Opens a store that is not there yet, or the one that is
 */
type OpenStore = (isNew?: boolean) => Promise<PackBlockstore>
type Work = 'put' | 'get' | 'scan' | 'open'

/**
 * A pack store of small blocks: filled and closed, read from, scanned as it stands on the disk, and opened, read from once and
 * closed
 */
export function packRow (work: Work): GateRow {
  return {
    key: `pack / ${BLOCKS} blocks of ${BLOCK_BYTES} bytes / ${work}`,
    isThreaded: work === 'put',
    async open ({ directory }) {
      const { PackBlockstore } = await import('dagfs/pack')
      const path = join(directory, 'pack')

      return WORKS[work](await makeBlocks(), async (isNew = true) => {
        if (isNew) {
          await rm(path, { recursive: true, force: true })
        }

        const store = new PackBlockstore(path)

        await store.open()

        return store
      })
    }
  }
}

const WORKS: Readonly<Record<Work, (blocks: readonly InputPair[], openStore: OpenStore) => Promise<OpenRow>>> = {
  async put (blocks, openStore) {
    let store = await openStore()

    return {
      async prepare () {
        await store.close()
        store = await openStore()
      },
      async run () {
        await putAll(store, blocks)
        await store.close()

        return `${blocks.length} blocks`
      },
      close: async () => store.close()
    }
  },
  async get (blocks, openStore) {
    const store = await openStore()
    const random = new SeededRandom(`${SEED}/gets`)
    const wanted = Array.from({ length: GETS }, () => blocks[random.below(BLOCKS)].cid)

    await putAll(store, blocks)

    return {
      async run () {
        let bytes = 0

        for (const cid of wanted) {
          bytes += (await toBuffer(store.get(cid))).byteLength
        }

        return `${bytes} bytes`
      },
      close: async () => store.close()
    }
  },
  async scan (blocks, openStore) {
    const store = await openStore()

    await putAll(store, blocks)

    return {
      async run () {
        let bytes = 0

        for await (const { starts, ends, length } of store.scan()) {
          for (let index = 0; index < length; index++) {
            bytes += ends[index] - starts[index]
          }
        }

        return `${bytes} bytes`
      },
      close: async () => store.close()
    }
  },
  async open (blocks, openStore) {
    const filled = await openStore()

    await putAll(filled, blocks)
    await filled.close()

    return {
      async run () {
        const store = await openStore(false)

        try {
          return `${(await toBuffer(store.get(blocks[0].cid))).byteLength} bytes`
        } finally {
          await store.close()
        }
      }
    }
  }
}

async function putAll (store: PackBlockstore, blocks: readonly InputPair[]): Promise<void> {
  for (const { cid, bytes } of blocks) {
    await store.put(cid, bytes)
  }

  await store.sync()
}

async function makeBlocks (): Promise<InputPair[]> {
  const [content] = keystream(SEED, 2 ** 20)
  const blocks: InputPair[] = []

  for (let index = 0; index < BLOCKS; index++) {
    const bytes = content.slice(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES)

    blocks.push({ cid: CID.createV1(raw.code, await sha256.digest(bytes)), bytes })
  }

  return blocks
}
