import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from 'dagfs'
import { CountingStore } from '../../../harness/counting-store.ts'
import { timeRun } from '../../../harness/time-run.ts'
import { countBlocks } from './count-blocks.ts'
import type { OpenWorkload, Workload } from './workload.ts'

const PATH = '/large.bin'
const PIECE_BYTES = 2 ** 20
const PATCH_BYTES = 4_096

/**
 * A few bytes in the middle of a large file, then a commit
 */
export const patch: Workload = {
  key: 'patch',
  contenders: ['dagfs-mem'],
  group: 'patch',
  describe: ({ fileBytes }) => `${PATCH_BYTES} bytes in the middle of a file of ${fileBytes}, then a commit`,
  operations: () => 1,

  async open (_, { fileBytes }): Promise<OpenWorkload> {
    const blockstore = new MemoryBlockstore()
    const before = dagfs({ blockstore })
    const position = Math.floor(fileBytes / 2)

    await before.addAll([{ path: PATH, content: pieces(fileBytes) }])

    const { root } = await before.commit()
    let last: string | undefined

    return {
      async round () {
        const store = new CountingStore(blockstore)
        const fs = dagfs({ blockstore: store }, { root })
        const { ms, result: cid } = await timeRun(async () => {
          const handle = await fs.open(PATH, 'r+')

          try {
            await handle.write(patched(), 0, PATCH_BYTES, position)
          } finally {
            await handle.close()
          }

          return (await fs.commit()).root.toString()
        })

        last = cid

        return { ms, cid, counted: countBlocks(store) }
      },
      verifiesEvery: false,
      async verify () {
        const fresh = dagfs({ blockstore: new CountingStore(blockstore) })

        await fresh.addAll([{ path: PATH, content: pieces(fileBytes, position) }])

        const { root: expected } = await fresh.commit()

        if (last !== expected.toString()) {
          throw new Error(`the edited file gives ${last}, and a fresh add of the same bytes ${expected}`)
        }
      }
    }
  }
}

function patched (): Uint8Array {
  return new Uint8Array(PATCH_BYTES).fill(0xa5)
}

/**
 * A file whose pieces all differ, with the patch or without.
 */
async function * pieces (fileBytes: number, position?: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < fileBytes; offset += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, fileBytes - offset)).fill(offset / PIECE_BYTES)

    new DataView(piece.buffer).setUint32(0, offset / PIECE_BYTES)

    if (position != null) {
      overlay(piece, patched(), position - offset)
    }

    yield piece
  }
}

function overlay (piece: Uint8Array, bytes: Uint8Array, at: number): void {
  const from = Math.max(0, at)
  const to = Math.min(piece.byteLength, at + bytes.byteLength)

  if (from < to) {
    piece.set(bytes.subarray(from - at, to - at), from)
  }
}
