/**
 * What is known of the storage that IndexedDB and the origin private file system of a browser are in.
 */
export type StorageEstimate = UnsupportedStorage | {
  readonly kind: 'best-effort' | 'persistent'
  /** Bytes that the origin takes, about: browsers round it, or add to it, so that it tells nothing of other origins */
  readonly usageBytes: number
  /** Bytes that the origin may take, about */
  readonly quotaBytes: number
}

/**
 * The platform has no such storage, or does not tell of it: Node.js, a page that was not loaded over a secure connection.
 */
export interface UnsupportedStorage {
  readonly kind: 'unsupported'
}

/**
 * How much a browser's storage holds and may hold, and whether the browser may evict it without asking. It asks nobody
 * anything, and works in pages and workers.
 *
 * @example
 *
 * ```ts
 * import { storageEstimate } from 'dagfs'
 *
 * const storage = await storageEstimate()
 *
 * if (storage.kind !== 'unsupported') {
 *   console.log(storage.kind, storage.usageBytes, 'of', storage.quotaBytes)
 * }
 * ```
 */
export async function storageEstimate (): Promise<StorageEstimate> {
  const storage = globalThis.navigator?.storage

  if (storage?.estimate == null) {
    return { kind: 'unsupported' }
  }

  const [{ usage = 0, quota = 0 }, isPersistent] = await Promise.all([storage.estimate(), storage.persisted()])

  return { kind: isPersistent ? 'persistent' : 'best-effort', usageBytes: usage, quotaBytes: quota }
}

/**
 * Asks the browser not to evict what the origin stores, and returns what it is now: `persistent`, or `best-effort` where it
 * was refused. Some browsers decide by themselves, others ask the user, and the call then waits for that. Workers
 * cannot ask and are told what holds already.
 *
 * @example
 *
 * ```ts
 * import { persistStorage } from 'dagfs'
 *
 * if (await persistStorage() === 'best-effort') {
 *   console.log('the browser may remove what is stored when space is short')
 * }
 * ```
 */
export async function persistStorage (): Promise<StorageEstimate['kind']> {
  const storage = globalThis.navigator?.storage

  if (storage?.persisted == null) {
    return 'unsupported'
  }

  // only pages have it
  const isPersistent = await storage.persisted() || (storage.persist != null && await storage.persist())

  return isPersistent ? 'persistent' : 'best-effort'
}
