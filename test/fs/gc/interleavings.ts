import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import all from 'it-all'
import { decodeRootRecord, links } from '../../../src/codec/index.ts'
import { dagfs, memoryRoots } from '../../../src/index.ts'
import type { DagFs, ReadonlyDagFs, RootStore } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'

/** Content that has blocks of its own. */
export function contentOf (seed: string): string {
  return `${seed} `.repeat(2_000)
}

/** Reads everything, so that a block that is gone is missed. */
export async function readAll (fs: ReadonlyDagFs): Promise<Record<string, string>> {
  const files: Record<string, string> = {}

  for await (const { path, kind } of fs.walk()) {
    files[path] = kind === 'file' ? await fs.readFile(path, 'utf8') : ''
  }

  return files
}

type Action = { readonly do: 'add' | 'remove', readonly handle: number, readonly file: number, readonly content: number } | { readonly do: 'commit' | 'snapshot' | 'reopen' | 'view' | 'pin' | 'unpin', readonly handle: number } | { readonly do: 'gc' }

const handles = fc.integer({ min: 0, max: 2 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('add' as const, 'remove' as const), handle: handles, file: fc.integer({ min: 0, max: 4 }), content: fc.integer({ min: 0, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'commit' as const, 'snapshot' as const, 'reopen' as const, 'view' as const, 'pin' as const, 'unpin' as const), handle: handles }) },
  { weight: 2, arbitrary: fc.constant({ do: 'gc' as const }) }
)

/** Edits, commits, snapshots, views, pins and garbage collections, in any order */
export const interleaving: fc.Arbitrary<Action[]> = fc.array(action, { minLength: 5, maxLength: 40 })

/** A handle and what is in it; each has a name of its own. */
interface Actor {
  readonly name: string
  fs: DagFs
  files: Map<string, string>
  published: Map<string, string>
}

/** A tree that must be there to the end */
interface SeenView {
  readonly root: CID
  /** Undefined where the history alone holds it */
  readonly view?: ReadonlyDagFs
  readonly files: Map<string, string>
}

interface Scene {
  readonly actors: readonly Actor[]
  readonly views: SeenView[]
  /** What is kept by being named to the collection */
  readonly pins: SeenView[]
  open(name: string): DagFs
}

/**
 * Does what is to be done, with a map as the model of each handle: nothing that anything reaches is lost, and in the end
 * nothing else is left.
 */
export async function runInterleaving (actions: readonly Action[]): Promise<void> {
  const blockstore = new MemoryBlockstore()
  const roots = memoryRoots()
  const open = (name: string): DagFs => dagfs({ blockstore }, { name, roots, draftBytes: 2_000 })
  const actors: Actor[] = ['a', 'b', 'c'].map(name => ({ name, fs: open(name), files: new Map(), published: new Map() }))
  const scene: Scene = { actors, views: [], pins: [], open }

  for (const step of actions) {
    await (step.do === 'gc' ? actors[0].fs.gc({ keep: scene.pins.map(({ root }) => root) }) : act(actors[step.handle], step, scene))
  }

  for (const { fs, files } of actors) {
    expect(await readAll(fs)).to.deep.equal(Object.fromEntries(files))
  }

  for (const { root, view = actors[0].fs.at(root), files } of [...scene.views, ...scene.pins]) {
    expect(await readAll(view)).to.deep.equal(Object.fromEntries(files))
  }

  await expectNoGarbage(blockstore, roots, scene.pins.map(({ root }) => root))
}

async function act (actor: Actor, step: Exclude<Action, { do: 'gc' }>, { views, pins, open }: Scene): Promise<void> {
  switch (step.do) {
    case 'add':
    case 'remove': {
      const [path, content] = [`/${step.file}`, step.do === 'add' ? contentOf(String(step.content)) : '']
      await actor.fs.addAll([{ path, content }])
      actor.files.set(path, content)
      return
    }
    case 'commit':
      await actor.fs.commit()
      actor.published = new Map(actor.files)
      return
    case 'snapshot':
      // a view that is opened again at the end: nothing but the history holds it
      views.push({ root: (await actor.fs.snapshot()).cid, files: new Map(actor.files) })
      actor.published = new Map(actor.files)
      return
    case 'reopen':
      actor.fs = open(actor.name)
      actor.files = new Map(actor.published)
      return
    case 'unpin':
      pins.shift()
      return
    default: {
      const { root } = await actor.fs.opened()

      if (root !== undefined) {
        const files = new Map(actor.published)
        step.do === 'pin' ? pins.push({ root, files }) : views.push({ root, view: actor.fs.at(root), files })
      }
    }
  }
}

/** In a store that nobody has open, a collection leaves what names and pins reach, found here by following every link. */
async function expectNoGarbage (blockstore: MemoryBlockstore, roots: RootStore, keep: readonly CID[]): Promise<void> {
  const copy = new MemoryBlockstore()

  for await (const { cid, bytes } of blockstore.getAll()) {
    for await (const piece of bytes) {
      await copy.put(cid, piece)
    }
  }

  await dagfs({ blockstore: copy }, { roots }).gc({ keep })
  const left = await all(copy.getAll())
  expect(left).to.have.lengthOf((await reachable(copy, roots, keep)).size)
}

async function reachable (blockstore: MemoryBlockstore, roots: RootStore, keep: readonly CID[]): Promise<Set<string>> {
  const open = [...keep]

  for await (const name of roots.names()) {
    const { tree, previous, snapshot } = decodeRootRecord(await roots.get(name) ?? expect.fail('a name without a record'))
    open.push(...[tree, previous, snapshot].filter(cid => cid !== undefined))
  }

  const seen = new Set<string>()

  for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
    if (!seen.has(String(cid)) && await blockstore.has(cid)) {
      seen.add(String(cid))
      const [bytes] = await all(blockstore.get(cid))
      open.push(...links({ cid, bytes }))
    }
  }

  return seen
}
