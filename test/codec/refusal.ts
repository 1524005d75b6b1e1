import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'

/** A CID for bytes whose hash is not what is tested; another one for each number. */
export function anyCid (codec: number, number = 0): CID {
  return CID.createV1(codec, create(0x12, new Uint8Array(32).fill(number)))
}

/** What a function throws, or undefined where it does not. */
export function thrown <T> (act: (argument: T) => unknown, argument: T): unknown {
  try {
    act(argument)
  } catch (error) {
    return error
  }
}

/** The name of the error that a function throws, or undefined where it does not. */
export function refusal <T> (act: (argument: T) => unknown, argument: T): string | undefined {
  const error = thrown(act, argument)

  return error instanceof Error ? error.name : undefined
}
