import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { MemoryDatastore } from 'datastore-core'
import { createHeliaLight } from 'helia'
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

  it('is found when the store is reopened', async () => {
    const before = await open()
    await before.writeFile('/a', 'content'.repeat(1_000))
    expect((await before.commit()).durability).to.equal('commit')
    await blockstore.close()

    expect(await (await open()).readFile('/a', 'utf8')).to.equal('content'.repeat(1_000))
  })

  it('is synced with its blocks by the store\'s own record', async () => {
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

  it('is synced with its blocks through a Helia node', async () => {
    await open()
    const helia = createHeliaLight({ blockstore, datastore: new MemoryDatastore() })
    const site = dagfs(helia, { name: 'site', roots: blockstore.roots })
    await site.writeFile('/a', 'content')

    expect((await site.commit()).durability).to.equal('commit')
    expect((await dagfs(helia, { name: 'site', roots: blockstore.roots, durable: 'commit' }).commit()).durability).to.equal('commit')
  })

  it('guarantees nothing for blocks in another store', async () => {
    await open()
    const site = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'site', roots: blockstore.roots })
    await site.writeFile('/a', 'content')

    expect((await site.commit()).durability).to.equal('none')
  })

  it('is not set if blocks in another store are to be durable', async () => {
    await open()
    const site = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'site', roots: blockstore.roots, durable: 'commit' })
    await site.writeFile('/a', 'content')

    await expect(site.commit()).to.eventually.be.rejected.with.include({ code: 'ERR_INVALID_OPTION', option: 'roots' })
    expect(await blockstore.roots.get('site')).to.equal(undefined)
  })

  it('is synced after blocks in another store that can sync', async () => {
    await open()
    const other = new PackBlockstore(path.join(directory, 'other'))
    await other.open()

    try {
      const site = dagfs({ blockstore: other }, { name: 'site', roots: blockstore.roots })
      await site.writeFile('/a', 'content')

      const { root, durability } = await site.commit()
      expect(durability).to.equal('commit')
      // what is not on the disk is not in a record, which is all that a reader sees
      const reader = new PackBlockstore(path.join(directory, 'other'), { readonly: true })
      await reader.open()
      expect(await dagfs({ blockstore: reader }, { root }).readFile('/a', 'utf8')).to.equal('content')
      await reader.close()
    } finally {
      await other.close()
    }
  })

  it('reports no guarantee if the store was opened without durability', async () => {
    const site = await open({ durability: 'none' })

    expect((await site.commit()).durability).to.equal('none')
  })

  it('keeps exactly the blocks it needs in garbage collection', async () => {
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
