import { expect } from 'aegir/chai'
import { blockWriter } from '../../../src/blockstore/index.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { block, bytesOf } from '../../pack/stores.ts'
import { independent } from '../part.ts'
import type { TestBlock } from '../../pack/stores.ts'
import type { Part } from '../part.ts'

const atOnce = 50
const rounds = 60
const blockBytes = 2 ** 18
const maxRatio = 2
// the machine may be busy with something else in one of them
const maxTries = 10

type Put = (block: TestBlock) => Promise<unknown>

/** The 99th percentile of how long a put takes, of one alone and of many of the same block at once */
async function measure (put: Put, from: number): Promise<{ alone: number, together: number }> {
  const [alone, together] = [new Array<number>(), new Array<number>()]

  for (let round = 0; round < rounds; round++) {
    const [one, same] = [await block(bytesOf(from + round * 2, blockBytes)), await block(bytesOf(from + round * 2 + 1, blockBytes))]
    alone.push(await timed(async () => put(one)))
    together.push(...await Promise.all(Array.from({ length: atOnce }, async () => timed(async () => put(same)))))
  }

  return { alone: percentile(alone, 0.99), together: percentile(together, 0.99) }
}

async function timed (work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()

  return performance.now() - start
}

function percentile (values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1]
}

export const parallelPuts: Part = {
  claim: '50 concurrent puts of one block take at most twice one put, at the 99th percentile',
  unit: 'stores',
  full: 20,
  daily: 2,
  open: independent(async ({ number }) => inTemporary(async directory => {
    const store = new PackBlockstore(directory)
    await store.open()
    const writer = blockWriter(store)
    // each put as a filesystem does it, and as others who have the store do
    const put: Put = number % 2 === 0 ? async block => writer.put(block) : async ({ cid, bytes }) => store.put(cid, bytes)

    try {
      let [ratio, tries] = [Number.POSITIVE_INFINITY, 0]

      for (; tries < maxTries && ratio > maxRatio; tries++) {
        const { alone, together } = await measure(put, tries * rounds * 2)
        ratio = Math.min(ratio, together / alone)
      }

      expect(ratio).to.be.at.most(maxRatio)

      return { worst: { 'p99 at once to p99 alone, the best try': ratio, tries } }
    } finally {
      await store.close()
    }
  }))
}
