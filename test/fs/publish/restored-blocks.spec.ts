import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { MemoryDatastore } from 'datastore-core'
import { createHeliaLight } from 'helia'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { dagfs, fixedSize, memoryRoots } from '../../../src/index.ts'
import { below, random } from '../../seed.ts'
import type { DagFs } from '../../../src/index.ts'

function contentOf (seed: string): string {
  return `${seed} `.repeat(2_000)
}

async function readAll (fs: DagFs): Promise<Record<string, string>> {
  const found: Record<string, string> = {}

  for await (const { path, kind } of fs.walk()) {
    if (kind === 'file') {
      found[path] = await fs.readFile(path, 'utf8')
    }
  }

  return found
}

describe('fs/publish, blocks that helia.gc() deletes before a commit', () => {
  let helia: ReturnType<typeof createHeliaLight>

  beforeEach(() => {
    helia = createHeliaLight({ blockstore: new MemoryBlockstore(), datastore: new MemoryDatastore(), codecs: [dagCbor] })
  })

  afterEach(async () => {
    await helia.stop()
  })

  const names: Array<[what: string, init: object]> = [['without a name', {}], ['with a name', { name: 'site', roots: memoryRoots() }]]

  names.forEach(([what, init]) => {
    it(`are put again by the commit of a handle ${what}, and stay`, async () => {
      const fs = dagfs(helia, init)
      await fs.mkdir('/dir')
      await fs.writeFile('/a', contentOf('a'))
      await fs.writeFile('/dir/b', contentOf('b'))
      await helia.gc()
      await fs.commit()
      await helia.gc()

      expect(await readAll(fs)).to.deep.equal({ '/a': contentOf('a'), '/dir/b': contentOf('b') })
    })
  })

  it('are put again by a snapshot', async () => {
    const fs = dagfs(helia)
    await fs.writeFile('/a', contentOf('a'))
    await helia.gc()
    await fs.snapshot()
    await helia.gc()

    expect(await readAll(fs)).to.deep.equal({ '/a': contentOf('a') })
  })

  it('are put again for open files and early stored directories', async () => {
    const fs = dagfs(helia, { draftBytes: 100_000, layout: { chunker: fixedSize(1_000), width: 3, inlineBytes: 100 } })
    await fs.addAll(Array.from({ length: 400 }, (_, i) => ({ path: `/${i % 20}/${i}`, content: `${i}`.repeat(20) })))
    const handle = await fs.open('/open', 'w+')

    try {
      await handle.writeFile(contentOf('o'))
      await handle.sync()
      await helia.gc()
      await fs.commit()
      await helia.gc()

      expect(Object.keys(await readAll(fs))).to.have.lengthOf(401)
      expect(await fs.readFile('/open', 'utf8')).to.equal(contentOf('o'))
    } finally {
      await handle.close()
    }
  })

  it('names the missing path, and succeeds once retried', async () => {
    const fs = dagfs(helia, { draftBytes: 13_000 })
    const contents: Record<string, string> = Object.fromEntries(['/1', '/2', '/dir/3', '/dir/dir/4'].map(path => [path, contentOf(path)]))
    await fs.addAll(Object.entries(contents).map(([path, content]) => ({ path, content })))
    await helia.gc()
    const named: string[] = []

    for (let i = 0; i < 4; i++) {
      const error = await fs.commit().then(() => undefined, err => err)

      if (error === undefined) {
        break
      }

      expect(error).to.include({ name: 'MissingBlockError', code: 'ERR_MISSING_BLOCK' })
      expect(error.message).to.include(error.path)
      named.push(error.path)
      await fs.writeFile(error.path, contents[error.path])
    }

    expect(named.length).to.be.above(0)
    expect(named.every(path => path in contents)).to.equal(true)
    await fs.commit()
    await helia.gc()
    expect(await readAll(fs)).to.deep.equal(contents)
  })

  it('are reported with their file, also deep in an index', async () => {
    const fs = dagfs(helia, { draftBytes: 0, layout: { chunker: fixedSize(100), width: 2, inlineBytes: 0 } })
    const content = Uint8Array.from({ length: 3_000 }, (_, i) => i / 100)
    await fs.writeFile('/file', content)
    const { cid } = await createBlock(rawCode, content.subarray(2_500, 2_600))
    await helia.blockstore.delete(cid)

    await expect(fs.commit()).to.eventually.be.rejected.with.deep.include({ name: 'MissingBlockError', path: '/file', cid })
  })

  it('never prevent a commit, whenever they are deleted', async function () {
    this.timeout(60_000)
    const next = random()
    const fs = dagfs(helia)
    const contents: Record<string, string> = {}

    for (let i = 0; i < 100; i++) {
      const path = `/${below(next, 4)}/${below(next, 4)}`
      contents[path] = contentOf(String(i))
      await fs.mkdir(path.slice(0, 2), { recursive: true })
      await fs.writeFile(path, contents[path])
      const gc = below(next, 2) === 0 ? helia.gc() : undefined

      if (below(next, 2) === 0) {
        await gc
      }

      await fs.commit()
      await gc
    }

    await helia.gc()
    expect(await readAll(fs)).to.deep.equal(contents)
  })

  it('are forgotten once committed', async () => {
    const fs = dagfs(helia)
    await fs.writeFile('/a', contentOf('a'))
    const { cid } = await fs.stat('/a')
    await fs.commit()
    await fs.rm('/a')
    await fs.commit()
    await fs.gc()
    await fs.writeFile('/b', contentOf('b'))
    await helia.gc()
    await fs.commit()

    expect(cid !== undefined && await helia.blockstore.has(cid)).to.equal(false)
  })
})
