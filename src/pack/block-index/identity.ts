import path from 'node:path'
import { CorruptStoreError } from '../../errors.ts'
import { readStoreFile } from '../format/store-file.ts'
import { storeInRecords } from '../scanning/recover.ts'
import { usePresent } from '../segments/missing-segment.ts'
import { BlockIndex } from './block-index.ts'
import type { AbortOptions } from '../../options.ts'
import type { StoreFile } from '../format/store-file.ts'
import type { Segments } from '../segments/segments.ts'

/** Whose segments count */
export interface Identity {
  readonly store: Uint8Array
  /** Undefined in a store of release 0.1.0, or where the file is lost */
  readonly file: StoreFile | undefined
}

/**
 * Finds out which store a directory is, and has its segments be those of that store alone. The file `store` says it. Without
 * one, all segments and the index have to agree.
 *
 * @throws {CorruptStoreError} where no segment can be read, or they are of several stores and nothing says of which
 */
export async function identify (segments: Segments, options: AbortOptions = {}): Promise<Identity> {
  const file = await readStoreFile(segments.files, segments.directory)
  const store = file?.store ?? await agreedStore(segments, options)

  if (file === undefined) {
    requireIndexOf(segments.directory, store)
  }

  segments.belongTo(store)

  return { store, file }
}

/** All of a store's segments may be away, and those of another one in their place: then its index is all that is left of it. */
function requireIndexOf (directory: string, store: Uint8Array): void {
  const index = path.join(directory, 'index.sqlite')
  const indexed = BlockIndex.storeOf(index)

  if (indexed !== undefined && Buffer.compare(indexed, store) !== 0) {
    throw new CorruptStoreError('the index and the segments are of different stores, and no file `store` identifies the directory: restore the segments of the index, or move it away', { path: index })
  }
}

async function agreedStore (segments: Segments, options: AbortOptions): Promise<Uint8Array> {
  const numbers = await segments.list()
  const owners = new Map<string, number>()

  for (const number of numbers) {
    const owner = await segments.ownerOf(number)

    if (owner !== undefined && !owners.has(owner)) {
      owners.set(owner, number)
    }
  }

  const [first, other] = owners

  if (other !== undefined) {
    throw new CorruptStoreError(`segments ${first[1]} and ${other[1]} are of different stores, and no file \`store\` identifies the directory: move those of the other store away`, { path: segments.path(other[1]) })
  }

  // a head alone does not say so: the file of another store may stand where all others are missing, but has no record of this place
  for (const number of numbers) {
    const store = await usePresent(segments, number, async file => storeInRecords(file, number, options))

    if (store !== undefined && (first === undefined || Buffer.from(store).toString('hex') === first[0])) {
      return store
    }
  }

  throw new CorruptStoreError('no segment can be read', { path: segments.path(numbers[0] ?? 1) })
}
