import { FsBlockstore } from 'blockstore-fs'
import { PackBlockstore } from 'dagfs/pack'
import { packageVersion } from '../../contenders/package-version.ts'
import type { ContenderKey } from './protocol.ts'
import type { Identity } from '../../harness/protocol.ts'
import type { Blockstore } from 'interface-blockstore'

export interface OpenedStore extends Blockstore {
  open(): Promise<void>
  close(): Promise<void>
}

/**
 * Says what runs, from the running thing.
 */
export async function identify (contender: ContenderKey): Promise<Identity> {
  if (contender === 'blockstore-fs') {
    return { version: await packageVersion('blockstore-fs'), options: { store: 'FsBlockstore', checksBlocks: false } }
  }

  return { version: await packageVersion('dagfs'), options: { store: 'PackBlockstore', durability: 'commit', checksBlocks: true } }
}

/**
 * The store that is written
 */
export function writableStore (contender: ContenderKey, directory: string): OpenedStore {
  return contender === 'blockstore-fs' ? new FsBlockstore(directory) : new PackBlockstore(directory)
}

/**
 * The store that is read: several processes have it open
 */
export function readableStore (contender: ContenderKey, directory: string): OpenedStore {
  return contender === 'blockstore-fs' ? new FsBlockstore(directory) : new PackBlockstore(directory, { readonly: true })
}
