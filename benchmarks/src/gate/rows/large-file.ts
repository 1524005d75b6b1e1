import { join } from 'node:path'
import type { GateRow } from './row.ts'

/**
 * The file of the corpus `large`, read from a pack store through the filesystem:
 * every block is compared with its CID
 */
export const readLargeRow: GateRow = {
  key: 'read / large / dagfs-pack',
  isThreaded: true,
  async open ({ directory, corpora }) {
    const [{ dagfs }, { importDirectory }, { PackBlockstore }] = await Promise.all([import('dagfs'), import('dagfs/host'), import('dagfs/pack')])
    const store = new PackBlockstore(join(directory, 'pack'))

    await store.open()

    const fs = dagfs({ blockstore: store })

    await importDirectory(fs, corpora.large)

    const { root } = await fs.commit()

    return {
      async run () {
        let bytes = 0

        for await (const { kind, path } of fs.walk('/')) {
          for await (const piece of kind === 'file' ? fs.cat(path) : []) {
            bytes += piece.byteLength
          }
        }

        return `${bytes} bytes of ${root}`
      },
      close: async () => store.close()
    }
  }
}
