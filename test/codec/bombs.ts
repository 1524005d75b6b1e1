import { dagCborCode } from '../../src/codec/index.ts'
import { readBytes, vectors } from '../vectors/notation.ts'
import { decoders } from './dag-cbor-twin.ts'
import { anyCid, refusal } from './refusal.ts'
import type { Kind } from './dag-cbor-twin.ts'
import type { Block } from '../../src/codec/index.ts'

/** A block that claims more than it holds */
export interface Bomb {
  readonly title: string
  readonly kind: Kind
  readonly error: string
  block(): Block
}

export const maxBombMs = 10
export const maxBombBytes = 16 * 2 ** 20

// the machine may be busy with something else for once, a bomb is slow each time
const tries = 5

export const bombs: readonly Bomb[] = vectors.invalid.filter(({ pieces }) => pieces !== undefined).map(vector => ({
  title: vector.title,
  kind: vector.kind,
  error: vector.error,
  block: () => ({ cid: anyCid(vector.codec ?? dagCborCode), bytes: readBytes(vector) })
}))

/** How a bomb is refused: the error's name */
export function defuse ({ kind }: Bomb, block: Block): string | undefined {
  return refusal(decoders[kind], block)
}

/** How long that takes when nothing comes between */
export function fastestMs (bomb: Bomb, block: Block): number {
  return Math.min(...Array.from({ length: tries }, () => {
    const start = performance.now()
    defuse(bomb, block)

    return performance.now() - start
  }))
}
