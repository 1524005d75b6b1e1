import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * A store's error stays the one it is; only the fact of which block it is about is added. Who has aborted gets the reason,
 * whatever the store made of it.
 */
export function withCid (err: unknown, cid: CID, options?: AbortOptions): unknown {
  options?.signal?.throwIfAborted()

  if (err instanceof Error && !('cid' in err) && Object.isExtensible(err)) {
    Object.assign(err, { cid })
  }

  return err
}
