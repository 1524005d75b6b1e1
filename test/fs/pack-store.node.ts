import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { dagfs } from '../../src/index.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import type { DagFs } from '../../src/index.ts'
import type { PackOptions } from '../../src/pack/index.ts'

describe('a name in a pack store', () => {
  let directory: string
  let blockstore: PackBlockstore

  async function open (options?: PackOptions): Promise<DagFs> {
    blockstore = new PackBlockstore(path.join(directory, 'store'), options)
    await blockstore.open()

    return dagfs({ blockstore }, { name: 'site', roots: blockstore.roots })
  }

  beforeEach(async () => {
    directory = await fs.mkdtemp(path.join(tmpdir(), 'dagfs-pack-'))
  })

  afterEach(async () => {
    await blockstore.close()
    await fs.rm(directory, { recursive: true })
  })

  it('is there when the store is opened again', async () => {
    const before = await open()
    await before.writeFile('/a', 'content'.repeat(1_000))
    expect((await before.commit()).durability).to.equal('commit')
    await blockstore.close()

    expect(await (await open()).readFile('/a', 'utf8')).to.equal('content'.repeat(1_000))
  })

  it('is synced with its blocks, by nothing but the store\'s own record', async () => {
    const site = await open()
    let syncs = 0
    const { sync } = blockstore
    blockstore.sync = async (...args) => {
      syncs++
      await sync.apply(blockstore, args)
    }
    await site.writeFile('/a', 'content')
    await site.commit()

    expect(syncs).to.equal(0)
  })

  it('says that nothing is guaranteed, where the store was opened so', async () => {
    const site = await open({ durability: 'none' })

    expect((await site.commit()).durability).to.equal('none')
  })

  it('keeps what it needs and nothing else, when garbage is collected', async () => {
    const site = await open()

    for (const content of ['1', '2', '3']) {
      await site.writeFile('/a', content.repeat(5_000))
      await site.commit()
    }

    expect(await site.gc()).to.deep.include({ kept: 4, deleted: 2 })
    await blockstore.close()
    expect(await (await open()).readFile('/a', 'utf8')).to.equal('3'.repeat(5_000))
  })
})
