import { CID } from 'multiformats/cid'
import { dagCborCode, isSupportedCid, rawCode } from '../codec/index.ts'
import { InvalidOptionError } from '../errors.ts'

/**
 * Reads the CID of a tree or snapshot that a caller gives.
 *
 * @throws {InvalidOptionError} where it cannot be one
 */
export function nodeCid (option: string, given: CID): CID {
  const cid = CID.asCID(given)

  if (cid === null || !isSupportedCid(cid) || cid.code !== dagCborCode) {
    const reason = typeof given === 'string' ? "is a string; pass CID.parse('…') of multiformats" : `must be the CIDv1 of a dag-cbor block with sha2-256, got ${String(given)}`
    throw new InvalidOptionError(option, reason)
  }

  return cid
}

/**
 * Reads the CID of a tree, a snapshot or a file that a caller gives.
 *
 * @throws {InvalidOptionError} where it cannot be one
 */
export function blockCid (option: string, given: CID): CID {
  const cid = CID.asCID(given)

  return cid?.code === rawCode && isSupportedCid(cid) ? cid : nodeCid(option, given)
}
