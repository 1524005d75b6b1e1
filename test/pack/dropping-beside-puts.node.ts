import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { changedFiles } from './changed-files.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { CID } from 'multiformats/cid'

describe('dropping damaged blocks in a pack store', function () {
  this.timeout(60_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('keeps a block put again and published while another source is queried', async () => {
    const directory = await directories.make()
    const put = await blocks(4, 1_000)
    await withStore(directory, {}, async store => {
      await putAll(store, put)
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })
    const path = join(directory, 'segment-00000001.car')
    const content = await readFile(path)
    content[content.indexOf(put[0].bytes) + 500] ^= 1
    await writeFile(path, content)

    await withStore(directory, {}, async store => {
      const source = {
        async * get (cid: CID): AsyncGenerator<Uint8Array> {
          // the user adds the file once more, and commits
          await store.put(put[0].cid, put[0].bytes)
          expect(await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))).to.equal(true)
          expect(await readBlock(store, put[0].cid)).to.deep.equal(put[0].bytes)

          // it has none
          yield * new MemoryBlockstore().get(cid)
        }
      }
      await store.verify({ heal: source, drop: true })

      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(2))
      expect(await store.has(put[0].cid), 'what was committed').to.equal(true)
    })
  })

  it('keeps a block put again while the store itself is searched for it', async () => {
    for (let nth = 1; nth <= 12; nth++) {
      const directory = await directories.make()
      const put = await blocks(4, 1_000)
      await withStore(directory, {}, async store => putAll(store, put))
      const path = join(directory, 'segment-00000001.car')
      const content = await readFile(path)
      content[content.indexOf(put[0].bytes) + 500] ^= 1
      await writeFile(path, content)
      let onRead = async (): Promise<void> => {}
      const files = changedFiles(file => ({
        async read (bytes, position) {
          await onRead()

          return file.read(bytes, position)
        }
      }))

      await withStore(directory, { files }, async store => {
        let reads = 0
        onRead = async () => {
          if (++reads === nth) {
            await store.put(put[0].cid, put[0].bytes)
            await store.roots.compareAndSet('main', undefined, Uint8Array.of(1))
          }
        }
        await store.verify({ drop: true })

        if (reads >= nth) {
          expect(await store.has(put[0].cid), `what was committed at read ${nth}`).to.equal(true)
        }
      })
    }
  })
})
