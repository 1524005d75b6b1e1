import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import { dagfs } from '../../src/index.ts'
import { parameters } from '../codec/runs.ts'
import { operation, plainCalls } from './arbitraries.ts'
import { perform } from './calls.ts'
import { MapFs } from './map-fs.ts'
import type { Operation, Outcome, System } from './calls.ts'
import type { BlockStore, DagFs } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'

// what is there before: files in blocks of their own, so that reading and writing wait for the store
const beginning: readonly Operation[] = [
  { call: 'mkdir', args: ['a', false] },
  { call: 'mkdir', args: ['a/b', false] },
  { call: 'writeFile', args: ['a/b/a', ['x', 5_000], 'w'] },
  { call: 'writeFile', args: ['a/a', ['y', 3_000], 'w'] },
  { call: 'writeFile', args: ['b', ['z', 7], 'w'] },
  { call: 'symlink', args: ['a/b', 'é'] }
]

/** What happened: how each operation ended, and what was there in the end. */
interface History {
  readonly outcomes: readonly Outcome[]
  readonly content: readonly string[]
}

describe('concurrent operations', () => {
  it('give the result of some sequential order, whatever the order of the store', async () => {
    await fc.assert(fc.asyncProperty(fc.scheduler(), operationsAtOnce(), fc.constantFrom(1, 2 ** 20), async (scheduler, operations, draftBytes) => {
      const actual = await runAtOnce(scheduler, operations, draftBytes)
      const serial = await Promise.all(permutations(operations.map((_, i) => i)).map(async order => runInOrder(operations, order)))

      expect(serial.map(fingerprint), JSON.stringify(operations)).to.include(fingerprint(actual))
    }), parameters(150))
  })
})

function operationsAtOnce (): fc.Arbitrary<Operation[]> {
  return fc.array(fc.oneof(...plainCalls.map(operation)).filter(isOneStep), { minLength: 2, maxLength: 4 })
}

/**
 * Appending opens a file, which makes an empty one, and then writes to it: two steps, as in Node.js. That of copyFile
 * looks at the source first.
 */
function isOneStep ({ call, args }: Operation): boolean {
  return call !== 'copyFile' && call !== 'appendFile' && !(call === 'writeFile' && args[2] === 'a')
}

/** All at once, on a store that answers in the order that the scheduler chooses; a commit comes in between. */
async function runAtOnce (scheduler: fc.Scheduler, operations: readonly Operation[], draftBytes: number): Promise<History> {
  const inner = new MemoryBlockstore()
  const prepared: System & { fs: DagFs } = { fs: dagfs({ blockstore: inner }), handles: [] }
  await performAll(prepared, beginning)
  const { root } = await prepared.fs.commit()

  const fs = dagfs({ blockstore: scheduled(inner, scheduler) }, { root, draftBytes })
  const running = operations.map(async given => perform({ fs, handles: [] }, given))
  const committing = fs.commit()
  const outcomes = await scheduler.waitFor(Promise.all(running))
  await scheduler.waitFor(committing)

  const committed = (await scheduler.waitFor(fs.commit())).root
  const content = contentOf({ fs: dagfs({ blockstore: inner }, { root: committed }), handles: [] })

  return { outcomes, content: await content }
}

async function runInOrder (operations: readonly Operation[], order: readonly number[]): Promise<History> {
  const model = { fs: new MapFs(), handles: [] }
  await performAll(model, beginning)
  const outcomes: Outcome[] = []

  for (const i of order) {
    outcomes[i] = await perform(model, operations[i])
  }

  return { outcomes, content: await contentOf(model) }
}

async function performAll (system: System, operations: readonly Operation[]): Promise<void> {
  for (const given of operations) {
    expect(await perform(system, given)).to.deep.equal({ answer: undefined })
  }
}

/** Every path with what is there */
async function contentOf ({ fs }: System): Promise<string[]> {
  const entries = await fs.readdir('.', { recursive: true, withFileTypes: true })

  return (await Promise.all(entries.map(async entry => {
    const path = [entry.parentPath, entry.name].join('/').replace(/^\.?\//, '')

    if (entry.isDirectory()) {
      return `${path}/`
    }

    return entry.isSymbolicLink() ? `${path} -> ${await fs.readlink(path)}` : `${path} ${await fs.readFile(path, 'utf8')}`
  }))).sort()
}

function fingerprint (history: History): string {
  return JSON.stringify(history)
}

function scheduled (inner: MemoryBlockstore, scheduler: fc.Scheduler): BlockStore {
  return {
    async * get (cid: CID) {
      await scheduler.schedule(Promise.resolve(), `get ${cid}`)
      yield * inner.get(cid)
    },
    async put (cid: CID, bytes: Uint8Array) {
      await scheduler.schedule(Promise.resolve(), `put ${cid}`)
      return inner.put(cid, bytes)
    }
  }
}

function permutations (items: readonly number[]): number[][] {
  return items.length === 0 ? [[]] : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map(rest => [item, ...rest]))
}
