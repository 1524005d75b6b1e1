import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../src/pack/index.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { openFiles } from './open-files.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { CID } from 'multiformats/cid'

describe('the files of a store that nobody closed', () => {
  const directories = new Directories()

  afterEach(async () => directories.removeAll())

  it('are closed with it once it is garbage, and Node.js warns of nothing', async function () {
    if (process.platform !== 'linux') {
      this.skip()
    }

    const directory = await directories.make()
    const put = await blocks(3, 100)
    await withStore(directory, {}, async store => putAll(store, put))
    const warnings: Error[] = []
    const note = (warning: Error): void => { warnings.push(warning) }
    process.on('warning', note)

    await forget(directory, put[0].cid)
    expect(openSegments(directory)).to.have.lengthOf(1)

    for (let i = 0; i < 100 && openSegments(directory).length > 0; i++) {
      collectGarbage()
      await new Promise(resolve => setTimeout(resolve, 10))
    }

    expect(openSegments(directory)).to.deep.equal([])
    process.off('warning', note)
    expect(warnings).to.deep.equal([])
  })
})

/** Nobody has the store any more when this returns. */
async function forget (directory: string, cid: CID): Promise<void> {
  const store = new PackBlockstore(directory, { readonly: true })
  await store.open()
  await readBlock(store, cid)
}

function openSegments (directory: string): string[] {
  return openFiles(directory).filter(path => path.startsWith(join(directory, 'segment-')))
}
