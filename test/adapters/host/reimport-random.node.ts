import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { dagfs } from '../../../src/index.ts'
import { below, random, seed } from '../../seed.ts'
import { memoryFs } from './host.ts'
import { RecordedSource } from './recorded-source.ts'
import type { ImportOptions } from '../../../src/adapters/host/index.ts'
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

  it(`gives the root of an import without a record, after random changes: seed ${seed}`, async () => {
    const next = random()
    const pick = <T>(items: readonly T[]): T => items[below(next, items.length)]
    const names = ['a', 'b', 'c', 'd']
    const anyPath = (): string => Array.from({ length: 1 + below(next, 3) }, () => pick(names)).join('/')
    const recorded = { fs, blockstore }
    const plain = { fs: memoryFs() }

    const onHost = (): void => {
      const path = join(source, anyPath())
      const size = pick([0, 10, 2_048, 2_049, 6_000])

      try {
        switch (below(next, 6)) {
          case 0: nodefs.rmSync(path, { recursive: true, force: true }); break
          case 1: nodefs.mkdirSync(path, { recursive: true }); break
          case 2: nodefs.symlinkSync(pick(names), path); break
          case 3: nodefs.renameSync(path, join(source, anyPath())); break
          case 4: nodefs.chmodSync(path, pick([0o700, 0o755])); break
          default: nodefs.writeFileSync(path, new Uint8Array(size).fill(below(next, 256)))
        }
      } catch {
        // what is in the way stays
      }
    }

    const inTree = async (): Promise<void> => {
      const path = `/to/${anyPath()}`
      const choice = below(next, 2)

      for (const { fs: tree } of [recorded, plain]) {
        await (choice === 0 ? tree.rm(path, { recursive: true, force: true }) : tree.writeFile(path, 'edited')).catch(() => {})
      }
    }

    const toRecord = (): void => {
      if (!nodefs.existsSync(record)) {
        return
      }

      const bytes = nodefs.readFileSync(record)

      switch (below(next, 3)) {
        case 0: nodefs.rmSync(record); break
        case 1: nodefs.truncateSync(record, 100 + below(next, Math.max(1, bytes.byteLength - 100))); break
        default: nodefs.writeFileSync(record, bytes.map((byte, i) => i === 100 + below(next, bytes.byteLength) ? byte ^ 4 : byte))
      }
    }

    /** The store loses what nobody needs, and the filesystem begins anew with its last root. */
    const inStore = async (): Promise<void> => {
      const { root: cid } = await recorded.fs.commit()
      const kept = new MemoryBlockstore()
      const copy = dagfs({ blockstore: kept })
      void copy
      const { links } = await import('../../../src/codec/index.ts')
      const { blockReader } = await import('../../../src/blockstore/index.ts')
      const reader = blockReader(recorded.blockstore)
      const open = [cid]

      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        const block = await reader.get(one)
        await kept.put(one, block.bytes)
        open.push(...links(block))
      }

      recorded.blockstore = kept
      recorded.fs = dagfs({ blockstore: kept }, { root: cid })
    }

    /** Answers whether it was interrupted before it was complete. */
    const interrupted = async (options: ImportOptions): Promise<boolean> => {
      const controller = new AbortController()
      let left = 1 + below(next, 20)
      const onProgress = (): void => {
        if (--left === 0) {
          controller.abort(new Error('enough'))
        }
      }
      const failure = await given.later({ ...options, recordEveryMs: 0, signal: controller.signal, onProgress }, recorded.fs).then(() => undefined, err => err)

      return failure !== undefined
    }

    for (let round = 0; round < 150; round++) {
      for (let i = below(next, 8); i >= 0; i--) {
        onHost()
      }

      while (next() < 0.4) {
        const options = { to: '/to', delete: next() < 0.6, mode: next() < 0.2 }

        if (!await interrupted(options)) {
          await importDirectory(plain.fs, source, options)
        }

        onHost()

        if (next() < 0.15) {
          toRecord()
        }

        if (next() < 0.1) {
          await inStore()
        }
      }

      if (next() < 0.3) {
        await inTree()
      }

      if (next() < 0.15) {
        toRecord()
      }

      if (next() < 0.15) {
        await inStore()
      }

      const options = { to: '/to', delete: next() < 0.6, mode: next() < 0.2 }
      const isNow = next() < 0.2
      const [one, other] = await Promise.all([
        (isNow ? importDirectory(recorded.fs, source, { ...options, record }) : given.later(options, recorded.fs)).catch(err => err),
        importDirectory(plain.fs, source, options).catch(err => err)
      ])
      expect(one.code, `round ${round}`).to.equal(other.code)

      if (next() < 0.7) {
        expect(await given.rootOf(recorded.fs), `round ${round}`).to.equal(await given.rootOf(plain.fs))
      }
    }

    expect(await given.rootOf(recorded.fs)).to.equal(await given.rootOf(plain.fs))
  }).timeout(120_000)
})
