import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GateRow, RowContext } from './row.ts'
import type { DagFs } from 'dagfs'
import type { ImportReport } from 'dagfs/host'

interface Imported {
  readonly fs: DagFs
  again(): Promise<ImportReport>
  close(): Promise<void>
}

/**
 * A directory that has not changed since it was imported, imported again
 */
export const reimportRow: GateRow = {
  key: 'reimport / generated / dagfs-pack',
  isThreaded: false,
  async open (context) {
    const { fs, again, close } = await openImported(context)

    return {
      async run () {
        const { files, unread } = await again()
        const { root } = await fs.commit()

        return `${unread} of ${files} files not read: ${root}`
      },
      close
    }
  }
}

/**
 * The same directory, exported to where nothing is
 */
export const exportRow: GateRow = {
  key: 'export / generated / dagfs-pack',
  isThreaded: true,
  async open (context) {
    const { exportDirectory } = await import('dagfs/host')
    const { fs, close } = await openImported(context)
    const target = join(context.directory, 'exported')

    return {
      prepare: async () => rm(target, { recursive: true, force: true }),
      async run () {
        const { files, bytes } = await exportDirectory(fs, target)

        return `${files} files of ${bytes} bytes`
      },
      close
    }
  }
}

async function openImported ({ directory, corpora }: RowContext): Promise<Imported> {
  const [{ dagfs }, { importDirectory }, { PackBlockstore }] = await Promise.all([import('dagfs'), import('dagfs/host'), import('dagfs/pack')])
  const store = new PackBlockstore(join(directory, 'pack'))

  await store.open()

  const fs = dagfs({ blockstore: store })
  const again = async (): Promise<ImportReport> => importDirectory(fs, corpora.generated, { record: join(directory, 'record') })

  await again()
  await fs.commit()

  return { fs, again, close: async () => store.close() }
}
