import { dagfsFs } from './dagfs-fs.ts'
import { dagfsMem } from './dagfs-mem.ts'
import { dagfsPack } from './dagfs-pack.ts'
import { floor } from './floor.ts'
import { heliaFs } from './helia-fs.ts'
import { heliaMem } from './helia-mem.ts'
import { ipfs } from './ipfs.ts'
import { kuboDirect } from './kubo-direct.ts'
import { kubo } from './kubo.ts'
import type { Contender } from './contender.ts'

export * from './contender.ts'

const all: readonly Contender[] = [floor, dagfsMem, dagfsFs, dagfsPack, heliaMem, heliaFs, ipfs, kubo, kuboDirect]
const byKey = new Map(all.map(contender => [contender.key, contender]))

export const contenderKeys: readonly string[] = [...byKey.keys()]

/**
 * Looks a contender up by its exact key.
 */
export function contenderOf (key: string): Contender {
  const contender = byKey.get(key)

  if (contender == null) {
    throw new Error(`there is no contender ${key}; there are ${contenderKeys.join(', ')}`)
  }

  return contender
}
