import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import { dagfs, dagfs1, fixedSize } from '../../../src/index.ts'
import { isLinearizable } from './linearize.ts'
import { empty, step } from './model.ts'
import { run } from './operations.ts'
import type { Event } from './linearize.ts'
import type { State } from './model.ts'
import type { Operation, Result, Subject } from './operations.ts'
import type { BlockStore, FileLayout } from '../../../src/index.ts'

/** Chunks of 4 bytes: some bytes are several blocks, and writes wait for the store. */
const tiny: FileLayout = { chunker: fixedSize(4), width: 3, inlineBytes: 2 }

/** What somebody calls, and for how many turns they wait before. */
type Call = readonly [waits: number, operation: Operation]

interface Setting {
  readonly hasChunks: boolean
  /** So few that edits are stored at once, or many */
  readonly draftBytes: number
  /** Turns that the store takes for a block, in turn */
  readonly delays: readonly number[]
  /** Whether what is there at the beginning is committed */
  readonly isCommitted: boolean
  readonly opened: readonly Operation[]
  readonly clients: ReadonlyArray<readonly Call[]>
}

const texts = ['', 'x', 'yz', 'long text']
const file = fc.constantFrom('/a', '/b', '/d/a', '/e/a')
const directory = fc.constantFrom('/d', '/e')
const text = fc.constantFrom(...texts)
const length = fc.constantFrom(0, 2, 4, 7)
const handle = fc.constantFrom(0, 1, 2)
const position = fc.constantFrom(null, 0, 3)
const mode = fc.constantFrom(0o600, 0o755)

const pathCall: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ call: fc.constantFrom('writeFile' as const, 'appendFile' as const, 'addAll' as const), path: file, text }) },
  fc.record({ call: fc.constant('truncate' as const), path: file, length }),
  fc.record({ call: fc.constant('chmod' as const), path: file, mode }),
  { weight: 2, arbitrary: fc.record({ call: fc.constantFrom('readFile' as const, 'stat' as const, 'unlink' as const), path: file }) },
  fc.record({ call: fc.constantFrom('rm' as const, 'mkdir' as const), path: directory }),
  { weight: 3, arbitrary: fc.record({ call: fc.constantFrom('copyFile' as const, 'rename' as const, 'cp' as const), path: file, to: file }) },
  fc.record({ call: fc.constantFrom('rename' as const, 'cp' as const), path: directory, to: directory }),
  fc.record({ call: fc.constant('commit' as const) })
)

const handleCall: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ call: fc.constantFrom('close' as const, 'sync' as const, 'handleStat' as const), handle }) },
  fc.record({ call: fc.constant('handleTruncate' as const), handle, length }),
  fc.record({ call: fc.constant('handleChmod' as const), handle, mode }),
  { weight: 2, arbitrary: fc.record({ call: fc.constant('read' as const), handle, position }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant('write' as const), handle, text: fc.constantFrom('x', 'yz', 'long text'), position }) }
)

const opening = fc.record({ call: fc.constant('open' as const), path: file, flags: fc.constantFrom('r' as const, 'r+' as const, 'a+' as const, 'w+' as const) })
const waits = fc.oneof(fc.nat(5), fc.nat(60))
const clientCall: fc.Arbitrary<Call> = fc.tuple(waits, fc.oneof({ weight: 3, arbitrary: pathCall }, { weight: 2, arbitrary: handleCall }))

const setting: fc.Arbitrary<Setting> = fc.record({
  hasChunks: fc.boolean(),
  draftBytes: fc.constantFrom(1, 2 ** 20),
  delays: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
  isCommitted: fc.boolean(),
  opened: fc.array(opening, { maxLength: 3 }).map(list => list.map((given, i) => ({ ...given, handle: i }))),
  clients: fc.array(fc.array(clientCall, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 })
})

/** Several clients call at once, and what they are told is what one call after the other would have told them. */
export const linearizability = fc.asyncProperty(setting, async given => {
  const [state, events] = await happen(given)

  if (!isLinearizable(state, events)) {
    throw new Error(`there is no order of these calls:\n${events.map(show).join('\n')}`)
  }
})

async function happen ({ hasChunks, draftBytes, delays, isCommitted, opened, clients }: Setting): Promise<[State, Event[]]> {
  const fs = dagfs({ blockstore: delayed(delays) }, { draftBytes, layout: hasChunks ? tiny : dagfs1 })
  const subject: Subject = { fs, handles: [] }
  let state = empty

  const beginning: Operation[] = [
    { call: 'mkdir', path: '/d' },
    { call: 'writeFile', path: '/a', text: 'start' },
    { call: 'writeFile', path: '/d/a', text: 'another one' },
    ...isCommitted ? [{ call: 'commit' } as const] : [],
    ...opened
  ]

  for (const operation of beginning) {
    await run(subject, operation)
    state = step(state, operation)[1]
  }

  const events: Event[] = []
  let clock = 0

  const record = async (operation: Operation): Promise<void> => {
    const began = clock++
    const result: Result = await run(subject, operation)
    events.push({ operation, began, ended: clock++, result })
  }

  await Promise.all(clients.map(async calls => {
    for (const [turns, operation] of calls) {
      await turnsOf(turns)
      await record(operation)
    }
  }))

  // what was there in the end, by path and by handle
  await record({ call: 'commit' })

  for (const [i] of opened.entries()) {
    await record({ call: 'read', handle: i, position: 0 })
  }

  return [state, events]
}

async function turnsOf (count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await Promise.resolve()
  }
}

/** A store in memory that takes its time for each block. */
function delayed (delays: readonly number[]): BlockStore {
  const inner = new MemoryBlockstore()
  let next = 0
  const wait = async (): Promise<void> => turnsOf(delays[next++ % delays.length])

  return {
    async put (cid, bytes) {
      await wait()

      return inner.put(cid, bytes)
    },
    async * get (cid) {
      await wait()
      yield * inner.get(cid)
    },
    has: cid => inner.has(cid)
  }
}

function show ({ operation, began, ended, result }: Event): string {
  return `${began} to ${ended}: ${JSON.stringify(operation)} ${JSON.stringify(result)}`
}
