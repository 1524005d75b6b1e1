import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { hostFiles } from '../../../src/pack/files/files.ts'
import { FaultyFiles } from '../../pack/faulty-files.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { withStore } from '../../pack/stores.ts'
import { WaitingFiles } from '../../pack/waiting-files.ts'
import { below } from '../../seed.ts'
import { Model } from '../collecting/model.ts'
import { PowerCut } from '../collecting/power-cut.ts'
import { besideProcess, besideReader } from '../collecting/readers.ts'
import { expectModel, Session } from '../collecting/session.ts'
import { makePool } from '../collecting/trees.ts'
import type { Files } from '../../../src/pack/files/files.ts'
import type { PackBlockstore } from '../../../src/pack/index.ts'
import type { InternalOptions } from '../../../src/pack/options.ts'
import type { TreeBlock } from '../collecting/trees.ts'
import type { Part } from '../part.ts'

const lanes = 5
const actionsInAll = 40
const maxTurns = 4
// they take longer, for a process has to be started
const casesBetweenProcesses = 500

/** What a run works on */
interface Scene {
  readonly directory: string
  readonly pool: readonly TreeBlock[]
  readonly model: Model
  readonly options: InternalOptions
  next(): number
}

export const packGc: Part = {
  claim: 'garbage collection in a pack store keeps reachable and new blocks under concurrent operations',
  unit: 'runs',
  full: 10_000,
  daily: 12,

  async open () {
    const pool = await makePool()

    return {
      run: async ({ number, next }) => inTemporary(async directory => {
        const memory = new FaultyFiles()
        // on the disk now and then
        const isOnDisk = number % 10 === 1
        const options = drawOptions(isOnDisk ? hostFiles : memory, next)
        const scene = { directory, pool, model: new Model(pool), options, next }

        if (number % casesBetweenProcesses === 1) {
          await workBesideProcess(scene)
        } else {
          await workAndReopen(scene, isOnDisk ? undefined : memory)
        }

        await expectCollected(scene)
      }),
      close: async () => {}
    }
  }
}

/** Sizes so small that a few blocks fill pieces and segments, and files that answer in another order each time */
function drawOptions (files: Files, next: () => number): InternalOptions {
  const pick = <T>(items: readonly T[]): T => items[below(next, items.length)]

  return {
    segmentBytes: pick([4_096, 6_000, 20_000]),
    recordAfterMs: pick([1, 100_000]),
    pieceBytes: pick([512, 4_096, 2 ** 16]),
    earlySyncBytes: pick([2_000, 2 ** 25]),
    files: new WaitingFiles(files, () => 1 + below(next, maxTurns))
  }
}

/** Two sessions: what the first one leaves, the second finds, with or without its index. */
async function workAndReopen (scene: Scene, memory: FaultyFiles | undefined): Promise<void> {
  const { directory, options, model, pool, next } = scene

  for (let session = 0; session < 2; session++) {
    await withStore(directory, options, async store => {
      model.reopen()
      await expectModel(store, pool, model)
      const cutAt = memory === undefined ? -1 : below(next, actionsInAll * 2)
      let cut: PowerCut | undefined

      await besideReader(directory, options, async () => {
        await work(store, scene, actions => {
          cut = memory !== undefined && actions === cutAt ? new PowerCut(memory, model, next) : cut

          return actions < actionsInAll
        })
      }, next)
      await cut?.check(directory, options)
    })

    if (next() < 0.5) {
      await unlink(join(directory, 'index.sqlite'))
    }
  }
}

async function workBesideProcess (scene: Scene): Promise<void> {
  await withStore(scene.directory, scene.options, async store => {
    await besideProcess(scene.directory, async goesOn => {
      await work(store, scene, goesOn)
    })
  })
}

/** Does random things in some lanes, each one after the other, as long as it is to go on. */
async function work (store: PackBlockstore, { pool, model, next }: Scene, goesOn: (actions: number) => boolean): Promise<void> {
  const session = new Session(store, pool, model, next)
  let actions = 0

  await Promise.all(Array.from({ length: lanes }, async () => {
    while (goesOn(actions++)) {
      await session.act()
    }
  }))
}

/** In the end, what the roots reach is all that a collection leaves. */
async function expectCollected ({ directory, pool, model, options, next }: Scene): Promise<void> {
  await withStore(directory, options, async store => {
    await expectModel(store, pool, model)
    // what was put again since a root was published would stay
    await store.roots.compareAndSet('last', undefined, Uint8Array.of(1))
    await new Session(store, pool, model, next).collectWith(false, 0)
    const reached = model.reachOf([...model.published.values()].map(({ root }) => root))
    const listed = await all(store.getAll())

    expect(listed.map(({ cid }) => String(cid)).sort()).to.deep.equal([...reached].map(number => String(pool[number].cid)).sort())
    await expectModel(store, pool, model)
  })
}
