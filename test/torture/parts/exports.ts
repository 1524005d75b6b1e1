import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import { exportHostile, hostileTree } from '../../adapters/host/hostile-trees.ts'
import { temporaryDirectory } from '../../pack/in-temporary.ts'
import { tryProperty } from '../property-case.ts'
import type { Part } from '../part.ts'

export const exports: Part = {
  claim: 'exporting a hostile tree writes nothing outside the target, and no link out of it',
  unit: 'trees',
  full: 10_000,
  daily: 100,
  async open () {
    const directory = await temporaryDirectory()
    const property = fc.asyncProperty(hostileTree, async tree => exportHostile(directory, tree))

    return {
      run: async given => tryProperty(property, given),
      close: async () => rm(directory, { recursive: true })
    }
  }
}
