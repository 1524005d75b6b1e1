import { readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect } from 'aegir/chai'
import { hostFiles } from '../../src/pack/files/files.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { changedFiles } from './changed-files.ts'
import { blocks, Directories } from './stores.ts'
import type { Files } from '../../src/pack/files/files.ts'

/** What this process has open below a directory */
async function openBelow (directory: string): Promise<string[]> {
  const found: string[] = []

  for (const name of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${name}`).catch(() => '')

    if (target.startsWith(directory)) {
      found.push(basename(target))
    }
  }

  return found
}

describe('a closed pack store', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('leaves no segment open whose sync failed', async () => {
    const directory = await directories.make()
    let opened = 0
    let isFailing = false
    const files = changedFiles((file, path) => {
      opened++

      return {
        async sync () {
          if (isFailing && basename(path) === 'segment-00000001.car') {
            throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
          }

          await file.sync()
        },
        async close () {
          opened--
          await file.close()
        }
      }
    })
    const store = new PackBlockstore(directory, { files, segmentBytes: 4_096, recordAfterMs: 60_000 })
    await store.open()
    isFailing = true

    for (const { cid, bytes } of await blocks(6, 1_000)) {
      await Promise.resolve(store.put(cid, bytes)).catch(() => {})
    }

    await store.close().catch(() => {})
    expect(opened).to.equal(0)
  })

  it('leaves no index open if syncing a new store\'s directory failed', async function () {
    if (process.platform !== 'linux') {
      this.skip()
    }

    // opened and closed without anything put: its only record is the first one
    const first = new PackBlockstore(await directories.make())
    await first.open()
    await first.close()
    const files: Files = {
      ...hostFiles,
      async syncDirectory () {
        throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
      }
    }
    const again = new PackBlockstore(first.path, { files })
    await expect(again.open()).to.eventually.be.rejected.with.property('code', 'EIO')
    expect(await openBelow(first.path)).to.deep.equal([])
  })
})
