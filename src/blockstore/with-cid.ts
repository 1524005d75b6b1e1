import { throwIfAborted } from '../abort.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/**
 * A store's error stays the one it is; only the fact of which block it is about is added. Who has aborted gets an
 * `AbortError`, whatever the store made of it.
 */
export function withCid (err: unknown, cid: CID, options?: AbortOptions): unknown {
  throwIfAborted(options?.signal)

  if (err instanceof Error && !('cid' in err) && Object.isExtensible(err)) {
    Object.assign(err, { cid })
  }

  return err
}
