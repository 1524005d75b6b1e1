import type { CID } from 'multiformats/cid'

/**
 * A store's error stays the one it is; only the fact of which block it is about is added.
 */
export function withCid (err: unknown, cid: CID): unknown {
  if (err instanceof Error && !('cid' in err) && Object.isExtensible(err)) {
    Object.assign(err, { cid })
  }

  return err
}
