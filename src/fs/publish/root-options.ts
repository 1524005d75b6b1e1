import { InvalidOptionError } from '../../errors.ts'
import type { PinStore } from './pins.ts'
import type { Durability } from './root-types.ts'
import type { BlockStore } from '../../blockstore/index.ts'
import type { RootStore } from '../../roots/index.ts'
import type { DagFsComponents, DagFsInit } from '../types.ts'

// a name is written in base32 into a file's name by some stores
export const maxPublishedNameBytes = 128

const rootStores = 'diskRoots(file) of dagfs/disk-roots, indexedDbRoots(database) or memoryRoots(); datastoreRoots(datastore) where one process alone has it open'

/** Where a root is published. */
export interface PublicPlace {
  readonly name: string
  readonly roots: RootStore
}

/**
 * Reads where roots are published.
 *
 * @throws {InvalidOptionError} for a name that cannot be one, or that has no store of roots
 */
export function placeOption ({ name, roots, root }: DagFsInit): PublicPlace | undefined {
  if (roots !== undefined && typeof roots.compareAndSet !== 'function') {
    throw new InvalidOptionError('roots', `must support compareAndSet: pass ${rootStores}`)
  }

  if (name === undefined) {
    return
  }

  const { byteLength } = new TextEncoder().encode(name)

  if (typeof name !== 'string' || !name.isWellFormed() || byteLength < 1 || byteLength > maxPublishedNameBytes) {
    throw new InvalidOptionError('name', `must be well-formed text of 1 to ${maxPublishedNameBytes} bytes`)
  }

  if (roots === undefined) {
    throw new InvalidOptionError('name', `needs roots: ${rootStores}`)
  }

  if (root !== undefined) {
    throw new InvalidOptionError('root', 'contradicts `name`, which has a root; fs.checkout(root) moves it')
  }

  return { name, roots }
}

/**
 * Reads what a commit is to guarantee.
 *
 * @throws {InvalidOptionError} where the stores cannot guarantee it
 */
export function durableOption (store: BlockStore, { durable }: DagFsInit, place: PublicPlace | undefined): Durability {
  const canSync = place?.roots.syncsBlock !== undefined || (store.sync !== undefined && (place === undefined || place.roots.sync !== undefined))

  if (durable === undefined) {
    return canSync ? 'commit' : 'none'
  }

  if (durable !== 'none' && durable !== 'commit') {
    throw new InvalidOptionError('durable', "must be 'none' or 'commit'")
  }

  if (durable === 'commit' && !canSync) {
    throw new InvalidOptionError('durable', `cannot be 'commit', since the ${store.sync === undefined ? 'blockstore' : 'store of roots'} has no sync()`)
  }

  return durable
}

/**
 * Reads whether to pin, which is the default where there are pins.
 *
 * @throws {InvalidOptionError} where pins are asked for and there are none
 */
export function pinOption ({ pins }: DagFsComponents, { pin }: DagFsInit): PinStore | undefined {
  if (pin !== undefined && typeof pin !== 'boolean') {
    throw new InvalidOptionError('pin', 'must be a boolean')
  }

  if (pin === true && pins === undefined) {
    throw new InvalidOptionError('pin', 'needs the pins of a Helia node')
  }

  return pin === false ? undefined : pins
}
