import * as nodeFs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { dagfs } from '../../../src/index.ts'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { HandMade, fileOf } from '../hand-made.ts'

describe('fs.verify on a pack store', () => {
  let directory: string

  beforeEach(async () => {
    directory = await nodeFs.mkdtemp(path.join(os.tmpdir(), 'dagfs-verify-'))
  })

  afterEach(async () => {
    await nodeFs.rm(directory, { recursive: true })
  })

  it('finds a needed block that the store never had', async () => {
    const store = new PackBlockstore(directory)
    await store.open()

    try {
      const { cid } = await createBlock(rawCode, Uint8Array.of(1, 2, 3))
      const { link } = await new HandMade(store).leaf([fileOf('lost', cid, 3)])
      await store.sync()

      expect(await store.verify()).to.deep.include({ problems: [] })
      const { problems } = await dagfs({ blockstore: store }, { root: link }).verify()
      expect(problems.map(({ kind, path: at }) => `${kind} ${at}`)).to.deep.equal(['missing /lost'])
    } finally {
      await store.close()
    }
  })

  it('names the segment file of a damaged block', async () => {
    const store = new PackBlockstore(directory)
    await store.open()
    const fs = dagfs({ blockstore: store })
    await fs.writeFile('/large', new Uint8Array(100_000).fill(7))
    const { root } = await fs.commit()
    await store.close()

    const [segment] = (await nodeFs.readdir(directory)).filter(name => name.endsWith('.car'))
    const file = path.join(directory, segment)
    const bytes = await nodeFs.readFile(file)
    bytes[bytes.indexOf(Buffer.alloc(1_000, 7)) + 500] ^= 1
    await nodeFs.writeFile(file, bytes)

    const again = new PackBlockstore(directory, { readonly: true })
    await again.open()

    try {
      const { problems } = await dagfs({ blockstore: again }, { root, readonly: true }).verify()
      expect(problems.map(({ kind, path: at }) => `${kind} ${at}`)).to.deep.equal(['damaged /large'])
    } finally {
      await again.close()
    }
  })
})
