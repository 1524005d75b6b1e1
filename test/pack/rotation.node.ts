import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'aegir/chai'
import { hostFiles } from '../../src/pack/files.ts'
import { openWriter } from '../../src/pack/open-writer.ts'
import { readSettings } from '../../src/pack/options.ts'
import { changedFiles } from './changed-files.ts'
import { blocks, Directories } from './stores.ts'
import type { Files } from '../../src/pack/files.ts'

describe('a segment of a pack store that is full', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** Syncs a store while its second segment is made, some steps after its name is on the disk; answers which segments were synced by then. */
  async function syncedWith (steps: number): Promise<string[]> {
    const { promise, resolve } = Promise.withResolvers<string[]>()
    const synced: string[] = []
    let isRotating = false

    const files: Files = {
      ...changedFiles((file, path) => ({
        async sync () {
          const name = basename(path)
          // the full segment takes longer than the one behind it
          await delay(isRotating && name === 'segment-00000001.car' ? 100 : 0)
          await file.sync()
          synced.push(name)
        }
      })),
      async syncDirectory (path) {
        await hostFiles.syncDirectory(path)

        if (isRotating) {
          resolve(later(steps, async () => {
            await session.log.sync()

            return synced.slice()
          }))
        }
      }
    }

    const session = await openWriter(await directories.make(), readSettings({ files, segmentBytes: 4_096, recordAfterMs: 60_000 }))
    synced.splice(0)
    isRotating = true

    try {
      await Promise.all((await blocks(4, 1_000)).map(async ({ cid, bytes }) => session.put(cid, bytes)))

      return await promise
    } finally {
      await session.close()
    }
  }

  it('is on the disk before a sync is answered that comes while the next one is begun', async () => {
    for (let steps = 0; steps < 12; steps++) {
      expect(await syncedWith(steps), `${steps} steps`).to.include('segment-00000001.car')
    }
  })
})

/** Does something after so many steps of the queue that promises go on in. */
async function later <T> (steps: number, work: () => Promise<T>): Promise<T> {
  for (let step = 0; step < steps; step++) {
    await Promise.resolve()
  }

  return work()
}
