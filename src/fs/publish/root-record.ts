import { decodeRootRecord } from '../../codec/index.ts'
import type { PublicPlace } from './root-options.ts'
import type { Standing } from './root-types.ts'
import type { RootRecord } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

/** A record as it stands in the store of roots. */
export interface StoredRecord {
  readonly bytes: Uint8Array
  readonly record: RootRecord
}

/** What a handle knows of its name. */
export interface KnownName {
  /** What is published, as far as the handle knows */
  published?: StoredRecord
  /** What was published instead when the handle wanted to */
  seen?: StoredRecord
  /** The tree that the handle wanted to publish when it found its name removed */
  unnamed?: CID
}

export async function findRecord ({ name, roots }: PublicPlace, options: AbortOptions): Promise<StoredRecord | undefined> {
  const bytes = await roots.get(name, options)

  return bytes === undefined ? undefined : { bytes, record: decodeRootRecord(bytes) }
}

export function isSameRoot (a: Standing, b: Standing): boolean {
  return a.tree.equals(b.tree) && isSame(a.snapshot, b.snapshot)
}

function isSame (a: CID | undefined, b: CID | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}
