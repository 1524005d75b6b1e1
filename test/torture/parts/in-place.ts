import * as dagCbor from '@ipld/dag-cbor'
import fc from 'fast-check'
import { toHex } from 'multiformats/bytes'
import { dagCborCode } from '../../../src/codec/index.ts'
import { mutatedFixture } from '../../codec/fixtures.ts'
import { lookUpFault, names } from '../../codec/look-up-twin.ts'
import { mutate } from '../../codec/mutate.ts'
import { anyValue, pathsOf, propertyFault } from '../../codec/property-twin.ts'
import { anyCid } from '../../codec/refusal.ts'
import { below } from '../../seed.ts'
import { independent } from '../part.ts'
import type { Part } from '../part.ts'

const blocksPerCase = 5_000
const valuesPerCase = 100
const cid = anyCid(dagCborCode)

export const inPlace: Part = {
  claim: 'mutated blocks are refused with a typed error, or read in place as decoding reads them',
  unit: 'blocks',
  full: 10_000_000,
  daily: blocksPerCase,
  open: independent(async ({ seed, next }) => {
    const values = fc.sample(anyValue, { numRuns: valuesPerCase, seed: seed | 0 }).map(value => ({ bytes: dagCbor.encode(value), paths: pathsOf(value) }))
    const others = values.map(({ bytes }) => bytes)

    for (let i = 0; i < blocksPerCase / 2; i++) {
      const { bytes } = mutatedFixture(next)
      const name = names[below(next, names.length)]
      fail(`${JSON.stringify(name)} in ${toHex(bytes)}`, lookUpFault({ cid, bytes }, name))

      const value = values[below(next, values.length)]
      const mutated = mutate(value.bytes, others, next)
      const path = value.paths[below(next, value.paths.length)]
      fail(`${JSON.stringify(path)} of ${toHex(mutated)}`, propertyFault(mutated, path))
    }

    return { units: blocksPerCase }
  })
}

function fail (what: string, fault: string | undefined): void {
  if (fault !== undefined) {
    throw new Error(`${what}: ${fault}`)
  }
}
