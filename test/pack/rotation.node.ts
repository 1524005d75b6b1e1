import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'aegir/chai'
import { hostFiles } from '../../src/pack/files/files.ts'
import { decodeCommit, maxSegments } from '../../src/pack/format/record.ts'
import { readHead } from '../../src/pack/format/section.ts'
import { readSettings } from '../../src/pack/options.ts'
import { Segments } from '../../src/pack/segments/segments.ts'
import { LogWriter } from '../../src/pack/writing/log-writer.ts'
import { openWriter } from '../../src/pack/writing/open-writer.ts'
import { changedFiles } from './changed-files.ts'
import { blocks, Directories } from './stores.ts'
import type { Files } from '../../src/pack/files/files.ts'

describe('a full segment of a pack store', () => {
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

  it('is synced before a sync resolves that runs while the next one begins', async () => {
    for (let steps = 0; steps < 12; steps++) {
      expect(await syncedWith(steps), `${steps} steps`).to.include('segment-00000001.car')
    }
  })
})

describe('a pack store with as many segments as a record can name', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('begins no further one, and its last record is readable', async () => {
    const directory = await directories.make()
    const segments = new Segments(hostFiles, directory)
    const numbers = Array.from({ length: maxSegments - 1 }, (_, i) => i + 1)
    const file = await hostFiles.open(segments.path(maxSegments - 1), 'create')
    const state = { store: new Uint8Array(16), sequence: 1, place: { segment: maxSegments - 1, offset: 0 }, id: new Uint8Array(16), end: 0, roots: new Map<string, Uint8Array>(), segments: numbers, coverage: new Map(), isClosing: false, lastNumber: 0 }
    const log = new LogWriter(state, file, { files: hostFiles, directory, segments, claim: { requireOwn () {} }, segmentBytes: 4_096, pieceBytes: 2 ** 22, earlySyncBytes: undefined })

    try {
      await log.seal()
      await expect(log.seal()).to.eventually.be.rejected.with.include({ name: 'LimitExceededError', path: directory })
      // what needs no segment goes on
      await log.record({ roots: new Map([['main', Uint8Array.of(1)]]) })
      const bytes = await readFile(segments.path(maxSegments))
      const section = readHead(bytes, log.coverage.get(maxSegments)?.recordOffset ?? 0, 0)

      expect(decodeCommit(bytes.subarray(section?.dataOffset))?.segments).to.have.lengthOf(maxSegments)
    } finally {
      await log.close()
      await segments.close()
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
