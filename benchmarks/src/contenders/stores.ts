import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import { FsBlockstore } from 'blockstore-fs'
import { PackBlockstore } from 'dagfs/pack'
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

/**
 * The pack store syncs before a commit is answered, by its default
 */
export async function packStore (directory: string): Promise<BlockstoreHolder> {
  const path = join(directory, 'pack')
  let store = await openPack(path)

  return {
    name: 'PackBlockstore',
    get store () {
      return store
    },
    async empty () {
      await store.close()
      await rm(path, { recursive: true })
      store = await openPack(path)

      const { value, done } = await store.getAll().next()

      if (done !== true) {
        throw new Error(`the store is not empty, it holds ${value.cid}`)
      }
    },
    async close () {
      await store.close()
      await rm(path, { recursive: true })
    }
  }
}

async function openPack (path: string): Promise<PackBlockstore> {
  const store = new PackBlockstore(path)

  await store.open()

  return store
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
