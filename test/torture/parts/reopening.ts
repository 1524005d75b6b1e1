import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { childFile } from '../../child-file.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { block, bytesOf, readBlock } from '../../pack/stores.ts'
import { independent } from '../part.ts'
import type { Part } from '../part.ts'

const child = childFile(import.meta.url, '../../pack/filling-child')
const blockCount = 100_000
const maxMs = 1_000

async function fillAndKill (directory: string): Promise<void> {
  const running = spawn(process.execPath, [child, directory, String(blockCount)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(running.stdout, 'data')
  running.kill('SIGKILL')
  await once(running, 'close')
}

async function reopenMs (directory: string): Promise<number> {
  const [start, used] = [performance.now(), process.cpuUsage()]
  const store = new PackBlockstore(directory)
  await store.open()
  const { user, system } = process.cpuUsage(used)
  // where the machine is busy with something else, what counts is the time that this process had
  const ms = Math.min(performance.now() - start, (user + system) / 1_000)

  try {
    expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    const { cid, bytes } = await block(bytesOf(blockCount - 1, 100))
    expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
  } finally {
    await store.close()
  }

  return ms
}

export const reopening: Part = {
  claim: 'a store of 100,000 blocks opens within a second after a kill',
  unit: 'kills',
  full: 10,
  daily: 1,
  open: independent(async ({ number }) => inTemporary(async directory => {
    await fillAndKill(directory)

    if (number % 2 > 0) {
      // at first as the process has left it, then without its index as well
      await rm(join(directory, 'index.sqlite'), { force: true })
    }

    const ms = await reopenMs(directory)
    expect(ms).to.be.below(maxMs * (number % 2 > 0 ? 2 : 1))

    return { worst: { [number % 2 > 0 ? 'without its index, ms' : 'reopening, ms']: ms } }
  }))
}
