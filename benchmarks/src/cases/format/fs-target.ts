import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FsBlockstore } from 'blockstore-fs'
import { importInto } from './import-into.ts'
import type { ImportTarget, TargetContext } from './import-target.ts'

export async function fsTarget ({ source, scratch }: TargetContext): Promise<ImportTarget> {
  let opened: { store: FsBlockstore, directory: string } | undefined

  const clean = async (): Promise<void> => {
    const closing = opened

    opened = undefined

    if (closing != null) {
      await closing.store.close()
      await rm(closing.directory, { recursive: true })
    }
  }

  return {
    async prepare () {
      const directory = await mkdtemp(join(scratch, 'fs-'))
      const store = new FsBlockstore(directory)

      await store.open()
      opened = { store, directory }
    },
    async add (inlineBytes) {
      if (opened == null) {
        throw new Error('no store is open')
      }

      return importInto(opened.store, source, inlineBytes)
    },
    clean,
    close: clean
  }
}
