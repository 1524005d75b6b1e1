import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'aegir/chai'
import { childFile } from '../../child-file.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { IndexHistory } from '../../pack/index-history.ts'
import { block, bytesOf, readBlock, withStore } from '../../pack/stores.ts'
import { below } from '../../seed.ts'
import { independent } from '../part.ts'
import type { Case, Part } from '../part.ts'

const child = childFile(import.meta.url, '../../pack/filling-child')
const sessions = 6
const blockCount = 3_000

/** Every session of a store begins with another index than the last one left. */
async function exchange ({ next }: Case): Promise<void> {
  await inTemporary(async directory => inTemporary(async copies => {
    const history = new IndexHistory(directory, copies, next)

    for (let session = 0; session < sessions; session++) {
      await history.work()
      await history.exchange()
      await history.check(next() < 0.5)
    }
  }))
}

/** A process is killed while it writes its index. */
async function killWriting ({ next }: Case): Promise<void> {
  await inTemporary(async directory => {
    const running = spawn(process.execPath, [child, directory, String(blockCount), 'close'], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(running.stdout, 'data')
    await new Promise(resolve => setTimeout(resolve, below(next, 60)))
    running.kill('SIGKILL')
    await once(running, 'close')

    await withStore(directory, {}, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
      expect(await store.verify()).to.deep.include({ blocks: blockCount, problems: [] })

      for (let i = 0; i < blockCount; i += 97) {
        const { cid, bytes } = await block(bytesOf(i, 100))
        expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
      }
    })
  })
}

export const indexCopies: Part = {
  claim: 'a pack store is intact with an earlier, damaged, foreign, missing or partly written index',
  unit: 'stores',
  full: 5_000,
  daily: 10,
  open: independent(async given => given.number % 10 === 9 ? killWriting(given) : exchange(given))
}
