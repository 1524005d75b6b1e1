import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { diskRoots } from '../src/adapters/disk-roots/index.ts'
import { exportDirectory, importDirectory } from '../src/adapters/host/index.ts'
import { dagfs } from '../src/index.ts'
import { PackBlockstore } from '../src/pack/index.ts'

describe('a host path', () => {
  const fs = dagfs({ blockstore: new MemoryBlockstore() })
  const takers: Array<[option: string, take: (path: string) => unknown]> = [
    ['directory', path => new PackBlockstore(path)],
    ['file', path => diskRoots(path)],
    ['source', async path => importDirectory(fs, path)],
    ['target', async path => exportDirectory(fs, path)],
    ['record', async path => importDirectory(fs, 'absent', { record: path })]
  ]

  takers.forEach(([option, take]) => {
    it(`is refused as ${option} if it is empty or cannot be a path`, async () => {
      for (const path of ['', 'a\0b', '\ud800', 5, null, Buffer.from('a')]) {
        await expect((async () => take(path as string))(), String(path)).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option })
      }
    })
  })
})
