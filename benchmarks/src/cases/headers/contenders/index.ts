import { dagfs } from './dagfs.ts'
import { headersCbor, headersInlined, headersPb } from './headers.ts'
import { heliaMfs } from './helia-mfs.ts'
import { heliaUnixfs } from './helia-unixfs.ts'
import { wnfs } from './wnfs.ts'
import type { HeadersContender } from './contender.ts'

export type { HeadersContender, OpenHeadersContender, TreeStore } from './contender.ts'

const all: readonly HeadersContender[] = [headersPb, headersCbor, headersInlined, dagfs, heliaUnixfs, heliaMfs, wnfs]

export const contenderKeys: readonly string[] = all.map(({ key }) => key)

/**
 * Looks a contender up by its exact key.
 */
export function contenderOf (key: string): HeadersContender {
  const contender = all.find(candidate => candidate.key === key)

  if (contender == null) {
    throw new Error(`there is no contender ${key}; there are ${contenderKeys.join(', ')}`)
  }

  return contender
}
