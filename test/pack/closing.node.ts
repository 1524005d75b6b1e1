import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { hostFiles } from '../../src/pack/files/files.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { below, random } from '../seed.ts'
import { openFiles } from './open-files.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import { WaitingFiles } from './waiting-files.ts'
import type { TestBlock } from './stores.ts'

const options = { segmentBytes: 400_000 }
const maxTurns = 4

describe('a pack store that is closed while in use', function () {
  this.timeout(120_000)
  const directories = new Directories()
  let next: () => number
  let put: TestBlock[]
  let later: TestBlock[]
  let absent: TestBlock

  before(async () => {
    [absent, ...put] = await blocks(13, 100_000)
    later = await blocks(12, 100_000, 100)
  })

  beforeEach(() => {
    next = random()
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function filled (): Promise<string> {
    const directory = await directories.make()
    await withStore(directory, options, async store => publish(store, put))

    return directory
  }

  const reads: Record<string, (store: PackBlockstore) => Promise<unknown>> = {
    has: async store => store.has(absent.cid),
    get: async store => readBlock(store, put[5].cid),
    'getMany of an array': async store => all(store.getMany(put.map(({ cid }) => cid))),
    'getMany of a stream': async store => all(store.getMany(stream(put.map(({ cid }) => cid)))),
    getAll: async store => drain(store.getAll()),
    'the bytes of getAll': async store => {
      for await (const { bytes } of store.getAll()) {
        await drain(bytes)
      }
    },
    scan: async store => drain(store.scan()),
    'roots.get': async store => store.roots.get('main'),
    'roots.names': async store => all(store.roots.names())
  }

  const writes: Record<string, (store: PackBlockstore) => Promise<unknown>> = {
    put: async store => store.put(later[0].cid, later[0].bytes),
    'put of a stream': async store => store.put(later[1].cid, stream([later[1].bytes])),
    'put of what is there': async store => store.put(put[3].cid, put[3].bytes),
    putMany: async store => all(store.putMany(later.slice(2).map(({ cid, bytes }) => ({ cid, bytes })))),
    delete: async store => store.delete(later[0].cid),
    'roots.compareAndSet': async store => store.roots.compareAndSet('other', undefined, Uint8Array.of(1)),
    sync: async store => store.sync()
  }

  /** Closes a store in the midst of all that it can do, and expects each to have an answer or to be told that it is closed. */
  async function expectToEnd (store: PackBlockstore, operations: Record<string, (store: PackBlockstore) => Promise<unknown>>, turns: number): Promise<void> {
    const names = Object.keys(operations)
    const settled = Promise.allSettled(Object.values(operations).map(async operation => operation(store)))

    for (let turn = 0; turn < turns; turn++) {
      await setImmediate()
    }

    await store.close()

    for (const [i, result] of (await settled).entries()) {
      if (result.status === 'rejected') {
        expect(result.reason, `${names[i]}, closed in turn ${turns}`).to.have.property('name', 'StoreStateError')
      }
    }
  }

  /** Closes a reader in the midst of reading what was put after it was opened. */
  async function expectReaderToEnd (turns: number): Promise<void> {
    const directory = await filled()
    const store = new PackBlockstore(directory, { ...options, readonly: true, files: waitingFiles() })
    await store.open()
    await withStore(directory, options, async writer => publish(writer, later))
    await expectToEnd(store, reads, turns)
    expect(openFiles(directory)).to.deep.equal([])
    await directories.removeAll()
  }

  function waitingFiles (): WaitingFiles {
    return new WaitingFiles(hostFiles, () => below(next, maxTurns))
  }

  it('resolves or rejects every call and closes all files, if writable', async () => {
    const directory = await filled()

    for (let turns = 0; turns < 40; turns += 2) {
      const store = new PackBlockstore(directory, { ...options, files: waitingFiles() })
      await store.open()
      await expectToEnd(store, { ...reads, ...writes }, turns)
      expect(openFiles(directory)).to.deep.equal([])
    }
  })

  it('resolves or rejects every call of a reader with a backlog', async () => {
    for (let turns = 0; turns < 40; turns += 2) {
      await expectReaderToEnd(turns)
    }
  })

  it('resolves or rejects every call of a reader that reloads everything', async () => {
    const directory = await filled()

    for (const turns of [0, 10, 40]) {
      const store = new PackBlockstore(directory, { ...options, readonly: true, files: waitingFiles() })
      await store.open()
      const index = new DatabaseSync(join(directory, 'index.sqlite'))
      index.exec('BEGIN EXCLUSIVE')
      await expectToEnd(store, { has: reads.has, get: reads.get, 'roots.get': reads['roots.get'] }, turns)
      index.close()
      expect(openFiles(directory)).to.deep.equal([])
    }
  })

  // these the store waits for, and so everything else that is under way
  it('lets a running collection and verification finish', async () => {
    const store = new PackBlockstore(await filled(), { ...options, files: waitingFiles() })
    await store.open()
    const [collected, verified] = [store.gc({ roots: [put[0].cid], links: () => [], keepUncommitted: false }), store.verify()]
    await store.close()

    expect(await collected).to.include({ reached: 1, freedBlocks: put.length - 1 })
    expect(await verified).to.deep.include({ blocks: 1, problems: [] })
  })
})

/** Reads all of a source, and keeps none of it. */
async function drain (source: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  const steps = stream(source)

  while ((await steps.next()).done !== true) {
    // on to the next one
  }
}

async function * stream <T> (values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield * values
}

async function publish (store: PackBlockstore, put: readonly TestBlock[]): Promise<void> {
  await putAll(store, put)
  await store.roots.compareAndSet('main', await store.roots.get('main'), put[0].cid.bytes)
}
