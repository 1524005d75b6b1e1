import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { FaultyFiles } from '../../pack/faulty-files.ts'
import { hostileCar } from '../../pack/hostile-cars.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { blocks, readBlock } from '../../pack/stores.ts'
import { within } from '../within.ts'
import type { Part } from '../part.ts'

const blockCount = 12

export const cars: Part = {
  claim: 'healing refuses a CAR with a lying, truncated or oversized block, and stores nothing wrong',
  unit: 'CARs',
  full: 10_000,
  daily: 60,

  async open () {
    const put = await blocks(blockCount, 500)
    const healthy = new FaultyFiles()
    await inTemporary(async directory => {
      const store = new PackBlockstore(directory, { files: healthy, recordAfterMs: 100_000 })
      await store.open()

      for (const { cid, bytes } of put) {
        await store.put(cid, bytes)
      }

      await store.close()
      // damage in every block, so that each would be taken
      for (const [path, bytes] of healthy.contents()) {
        put.map(block => Buffer.from(bytes).indexOf(block.bytes)).filter(at => at >= 0).forEach(at => { bytes[at + 7] ^= 1 })
        healthy.set(path.replace(directory, ''), bytes)
        healthy.remove(path)
      }
    })

    return {
      run: async ({ next }) => inTemporary(async directory => {
        const store = new PackBlockstore(directory, { files: healthy.movedTo('/', directory), recordAfterMs: 100_000 })
        await store.open()

        try {
          const { car, intact, isWhole } = hostileCar(put, next)
          const refusal = await within(5_000, store.verify({ heal: car() })).then(() => undefined, err => err)
          expect(refusal?.name).to.be.oneOf(isWhole ? [undefined] : ['CorruptStoreError', 'LimitExceededError'])
          const { blocks: count, problems } = await store.verify()
          expect(count).to.equal(blockCount)
          const damaged = new Set(problems.map(({ cid }) => String(cid)))

          for (const [i, { cid, bytes }] of put.entries()) {
            const found = await readBlock(store, cid).catch(err => expect(err).to.have.property('name', 'BlockMismatchError'))

            // what the CAR has before it is refused may be taken, and nothing else
            if (found instanceof Uint8Array) {
              expect(intact.has(i)).to.equal(true)
              expect(Buffer.compare(found, bytes)).to.equal(0)
            } else {
              expect(damaged.has(String(cid))).to.equal(true)
            }
          }
        } finally {
          await store.close()
        }
      }),
      close: async () => {}
    }
  }
}
