import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import { FsBlockstore } from 'blockstore-fs'
import type { Blockstore } from 'interface-blockstore'

/**
 * A blockstore that can be replaced by an empty one
 */
export interface BlockstoreHolder {
  readonly name: string
  readonly store: Blockstore
  empty(): Promise<void>
  close(): Promise<void>
}

export function memoryStore (): BlockstoreHolder {
  let store = new MemoryBlockstore()

  return {
    name: 'MemoryBlockstore',
    get store () {
      return store
    },
    async empty () {
      store = new MemoryBlockstore()
    },
    async close () {
      store = new MemoryBlockstore()
    }
  }
}

/**
 * blockstore-fs never syncs, and has no option for it
 */
export async function fsStore (directory: string): Promise<BlockstoreHolder> {
  const path = join(directory, 'blocks')
  let store = await openEmpty(path)

  return {
    name: 'FsBlockstore',
    get store () {
      return store
    },
    async empty () {
      await store.close()
      await rm(path, { recursive: true })
      store = await openEmpty(path)
    },
    async close () {
      await store.close()
      await rm(path, { recursive: true })
    }
  }
}

async function openEmpty (path: string): Promise<FsBlockstore> {
  await mkdir(path)

  const store = new FsBlockstore(path)

  await store.open()

  const left = await readdir(path)

  if (left.length > 0) {
    throw new Error(`the store is not empty, it holds ${left.join(', ')}`)
  }

  return store
}
