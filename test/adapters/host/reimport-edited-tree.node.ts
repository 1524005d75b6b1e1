import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { ImportRecord } from '../../../src/adapters/host/import-record.ts'
import { createBlock, rawCode } from '../../../src/codec/index.ts'
import { dagfs } from '../../../src/index.ts'
import { abortedInTurn, paths } from './host.ts'
import { RecordedSource } from './recorded-source.ts'
import type { DagFs } from '../../../src/index.ts'

describe('adapters/host/reimport, a record', () => {
  let given: RecordedSource
  let root: string
  let source: string
  let record: string
  let blockstore: MemoryBlockstore
  let fs: DagFs

  beforeEach(() => {
    given = new RecordedSource();
    ({ root, source, record, blockstore, fs } = given)
  })

  afterEach(() => {
    given.remove()
  })

  describe('of an edited tree', () => {
    it('describes the current tree, not the earlier one', async () => {
      given.writeSome()
      await given.later()
      await fs.commit()
      await fs.rm('/a', { recursive: true })
      await given.later({ ignore: ['a'] })
      await fs.commit()
      expect(await paths(fs)).to.not.include('/a/one')

      expect((await given.later()).unread).to.equal(1)
      expect(await given.rootOf()).to.equal(await given.coldRoot())
    })

    it('describes a tree at another path, with unreadable entries', async () => {
      given.writeSome()
      await given.later({ to: '/monday' })
      const { readdirSync } = nodefs
      nodefs.readdirSync = ((...parameters: Parameters<typeof readdirSync>) => {
        if (String(parameters[0]) === join(source, 'a')) {
          throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
        }

        return readdirSync(...parameters)
      }) as typeof readdirSync

      try {
        await given.later({ to: '/tuesday', onSourceError: 'skip' })
      } finally {
        nodefs.readdirSync = readdirSync
      }

      await given.later({ to: '/tuesday' })
      expect(await paths(fs, '/tuesday')).to.include.members(['/tuesday/a/one', '/tuesday/a/b/two'])
    })

    const sizes = [3, 5_000]

    sizes.forEach(bytes => {
      it(`does not trust ${bytes} bytes that others wrote, wherever an import was interrupted`, async () => {
        given.write('x', new Uint8Array(bytes).fill(1))
        await given.later()
        await fs.commit()
        await fs.writeFile('/x', new Uint8Array(bytes).fill(2))
        await fs.commit()
        given.write('a')
        const controller = new AbortController()
        const onProgress = (): void => { controller.abort(new Error('enough')) }
        await expect(given.later({ recordEveryMs: 0, signal: controller.signal, onProgress })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
        await given.later()

        expect(await given.rootOf()).to.equal(await given.coldRoot())
      })
    })

    it('copies a directory of any size', async () => {
      const recorded = { facts: 'd', names: new Map(Array.from({ length: 300_000 }, (_, i) => [String(i), 'f'])) }
      const made = new ImportRecord(record, {})
      await made.carryForward(['a', 'b'], recorded, {})

      expect(made.unrecorded).to.equal(300_000)
    })

    it('yields to the event loop while it is written, and aborts unchanged', async () => {
      const recorded = { facts: 'd', names: new Map(Array.from({ length: 300_000 }, (_, i) => [`name-${i}`, `f1 2 3 ${i}`])) }
      const [before, after] = [await createBlock(rawCode, Uint8Array.of(1)), await createBlock(rawCode, Uint8Array.of(2))]
      const first = new ImportRecord(record, {})
      await first.carryForward(['a'], recorded, {})
      await expect(first.record({ tree: before.cid, isExact: true, isLast: true }, { signal: abortedInTurn(4) })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      expect(nodefs.readdirSync(root)).to.deep.equal(['source'])

      const second = new ImportRecord(record, {})
      await second.carryForward(['a'], recorded, {})
      await second.record({ tree: before.cid, isExact: true, isLast: true }, {})
      const bytes = nodefs.readFileSync(record)

      const third = new ImportRecord(record, {})
      await third.read({})
      await third.carryForward(['b'], recorded, {})
      await expect(third.record({ tree: after.cid, isExact: true, isLast: true }, { signal: abortedInTurn(8) })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      const [found] = await new ImportRecord(record, {}).read({})
      expect(String(found.tree)).to.equal(String(before.cid))
      expect([...found.directory.names.keys()]).to.deep.equal(['a'])

      const fourth = new ImportRecord(record, {})
      nodefs.writeFileSync(record, bytes)
      await fourth.read({})

      for (let again = 0; again < 2; again++) {
        await fourth.carryForward(['a'], recorded, {})
        await fourth.record({ tree: after.cid, isExact: false, isLast: false }, {})
      }

      const untidy = nodefs.statSync(record).size
      const reached = { tree: after.cid, isExact: true, isLast: true }
      await expect(fourth.record(reached, { signal: abortedInTurn(4) })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      expect(nodefs.statSync(record).size).to.equal(untidy)
      await fourth.record(reached, {})
      expect(nodefs.statSync(record).size).to.be.below(untidy / 2)
      expect(nodefs.readdirSync(root).sort()).to.deep.equal(['record', 'source'])
      expect((await new ImportRecord(record, {}).read({}))[0].directory.names.get('a')).to.have.nested.property('names.size', 300_000)
    }).timeout(60_000)

    it('discards lines of a killed process', async () => {
      given.write('a')
      await given.later()
      await fs.commit()
      nodefs.mkdirSync(join(source, 'd'))

      for (let i = 0; i < 12_000; i++) {
        nodefs.writeFileSync(join(source, `d/${i}`), '')
      }

      // the record of an import that was killed while it wrote it: the last line, which has the tree, is not there
      const before = nodefs.readFileSync(record)
      const other = dagfs({ blockstore })
      await other.checkout((await fs.commit()).root)
      await given.later({}, other)
      const lines = nodefs.readFileSync(record).subarray(before.byteLength).toString().trimEnd().split('\n')
      expect(lines).to.have.lengthOf.above(1)
      nodefs.writeFileSync(record, Buffer.concat([before, Buffer.from(`${lines.slice(0, -1).join('\n')}\n`)]))

      given.write('b')
      await given.later({ ignore: ['d'] })
      await fs.commit()
      await given.later()
      expect(await given.rootOf()).to.equal(await given.coldRoot())
    })

    it('keeps the progress of an interrupted import', async () => {
      for (let i = 0; i < 200; i++) {
        given.write(`${i % 10}/${i}`, `${i}`.repeat(1_000))
      }

      await given.later()
      await fs.commit()

      for (const stop of [60, 30]) {
        await fs.rm('/9', { recursive: true, force: true })
        const controller = new AbortController()
        let entries = 0
        const onProgress = (): void => {
          if (++entries === stop) {
            controller.abort(new Error('enough'))
          }
        }

        await expect(given.later({ recordEveryMs: 0, signal: controller.signal, onProgress })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
      }

      expect((await given.later()).unread).to.be.above(20)
      expect(await given.rootOf()).to.equal(await given.coldRoot())
      expect((await given.later()).unread).to.equal(200)
    })

    it('is written while a file of the target is open', async () => {
      given.writeSome()
      await using handle = await fs.open('/log', 'a')
      await handle.write('began')
      await given.later()
      await handle.write(', ended')
      await handle.close()
      await fs.rm('/log')

      expect((await given.later()).unread).to.equal(3)
      expect(await given.rootOf()).to.equal(await given.coldRoot())
    })
  })
})
