import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { previewImport } from '../../../src/adapters/host/index.ts'
import { inAnHour, paths } from './host.ts'
import { RecordedSource } from './recorded-source.ts'
import type { DagFs } from '../../../src/index.ts'

describe('adapters/host/reimport', () => {
  let given: RecordedSource
  let source: string
  let record: string
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    given = new RecordedSource();
    ({ source, record, blockstore, fs } = given)
  })

  afterEach(() => {
    given.remove()
  })

  describe('a preview', () => {
    it('lists the changes of an import, and puts, edits and records nothing', async () => {
      given.writeSome()
      await given.later({ delete: true })
      const { root: cid } = await fs.commit()
      const recorded = nodefs.readFileSync(record)
      nodefs.appendFileSync(join(source, 'a/one'), 'more')
      nodefs.rmSync(join(source, 'empty'), { recursive: true })
      given.write('new/file')
      const { put } = blockstore
      blockstore.put = () => { throw new Error('it puts') }

      try {
        const told = await inAnHour(async () => all(previewImport(fs, source, { record, delete: true })))
        expect(told.map(({ kind, path }) => `${kind} ${path}`)).to.deep.equal(['changed /a/one', 'removed /empty', 'added /new', 'added /new/file'])
      } finally {
        blockstore.put = put
      }

      expect(nodefs.readFileSync(record)).to.deep.equal(recorded)
      expect(await given.rootOf()).to.equal(String(cid))

      const told = await inAnHour(async () => all(previewImport(fs, source, { record, delete: true })))
      await given.later({ delete: true })
      await fs.commit()
      expect(told.map(({ kind, path }) => [kind, path])).to.deep.equal((await all(fs.diff(cid))).map(({ kind, path }) => [kind, path]))
    })

    it('lists everything, in order, for an empty tree', async () => {
      given.writeSome()
      const told = await all(previewImport(fs, source))

      expect(told.map(({ path }) => path)).to.deep.equal(['/a', '/a/b', '/a/b/two', '/a/one', '/empty', '/large', '/link'])
      expect(await paths(fs)).to.deep.equal([])
    })

    it('fails where the import would fail', async () => {
      execFileSync('mkfifo', [join(source, 'pipe')])

      await expect(all(previewImport(fs, source))).to.eventually.be.rejected.with.include({ name: 'UnsupportedEntryError' })
    })
  })
})
