import { toHex } from 'multiformats/bytes'
import { dagCborCode } from '../../../src/codec/index.ts'
import { treatmentFault } from '../../codec/dag-cbor-twin.ts'
import { mutatedFixture } from '../../codec/fixtures.ts'
import { anyCid } from '../../codec/refusal.ts'
import { independent } from '../part.ts'
import type { Part } from '../part.ts'

const blocksPerCase = 5_000
const cid = anyCid(dagCborCode)

export const fuzz: Part = {
  claim: 'mutated blocks are refused with a typed error, or encode to themselves',
  unit: 'blocks',
  full: 10_000_000,
  daily: blocksPerCase,
  open: independent(async ({ next }) => {
    let slowest = 0

    for (let i = 0; i < blocksPerCase; i++) {
      const { kind, bytes } = mutatedFixture(next)
      const start = performance.now()
      const fault = treatmentFault(kind, { cid, bytes })
      slowest = Math.max(slowest, performance.now() - start)

      if (fault !== undefined) {
        throw new Error(`a ${kind} of ${toHex(bytes)}: ${fault}`)
      }
    }

    return { units: blocksPerCase, worst: { 'one block, ms': slowest } }
  })
}
