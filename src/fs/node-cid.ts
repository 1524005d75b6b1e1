import { CID } from 'multiformats/cid'
import { dagCborCode, isSupportedCid } from '../codec/index.ts'
import { InvalidOptionError } from '../errors.ts'

/**
 * Reads the CID of a tree or snapshot that a caller gives.
 *
 * @throws {InvalidOptionError} where it cannot be one
 */
export function nodeCid (option: string, given: CID): CID {
  const cid = CID.asCID(given)

  return cid !== null && isSupportedCid(cid) && cid.code === dagCborCode ? cid : refuse(option, given, 'a dag-cbor block')
}

/**
 * Reads the CID of any block of the format that a caller gives.
 *
 * @throws {InvalidOptionError} where it cannot be one
 */
export function blockCid (option: string, given: CID): CID {
  const cid = CID.asCID(given)

  return cid !== null && isSupportedCid(cid) ? cid : refuse(option, given, 'a raw or dag-cbor block')
}

function refuse (option: string, given: CID, what: string): never {
  throw new InvalidOptionError(option, typeof given === 'string' ? "is a string; pass CID.parse('…') of multiformats" : `must be the CIDv1 of ${what} with sha2-256, got ${String(given)}`)
}
