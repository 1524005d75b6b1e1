import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultOfGlob, plantTwins, randomGlob } from '../../fs/random-globs.ts'
import { independent } from '../part.ts'
import type { Part } from '../part.ts'

// of each tree
const patterns = 100

export const glob: Part = {
  claim: 'random patterns in random trees find the same as in Node.js, in the same order',
  isBesideNode: true,
  unit: 'patterns',
  full: 100_000,
  daily: patterns,
  open: independent(async given => {
    const root = await mkdtemp(join(tmpdir(), 'dagfs-globs-'))
    const next = (): number => given.next()

    try {
      const trees = await plantTwins(next, root)

      for (let i = 0; i < patterns; i++) {
        const fault = await faultOfGlob(trees, randomGlob(next, trees.cwd))

        if (fault !== undefined) {
          throw new Error(fault)
        }
      }
    } finally {
      await rm(root, { recursive: true })
    }

    return { units: patterns }
  })
}
