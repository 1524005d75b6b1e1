import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from 'dagfs'
import { CountingStore } from '../../../harness/counting-store.ts'
import { timeRun } from '../../../harness/time-run.ts'
import { assertSame, contentOf, nameOf } from './contents.ts'
import { countBlocks } from './count-blocks.ts'
import type { OpenWorkload, Workload } from './workload.ts'
import type { EditSizes } from '../sizes.ts'
import type { AddedEntry } from 'dagfs'

/**
 * Small files all over a directory that holds many, then a commit
 */
export const insertFewer = inserting('insert-fewer', ({ fewer }) => fewer)
export const insertMore = inserting('insert-more', ({ more }) => more)

function inserting (key: string, heldOf: (sizes: EditSizes) => number): Workload {
  return {
    key,
    contenders: ['dagfs-mem'],
    group: 'insert',
    describe: sizes => `${sizes.writes} writes of ${sizes.contentBytes} bytes all over a directory of ${heldOf(sizes)}, then a commit`,
    operations: ({ writes }) => writes,
    open: async (_, sizes) => open(heldOf(sizes), sizes)
  }
}

async function open (held: number, { writes, contentBytes }: EditSizes): Promise<OpenWorkload> {
  const blockstore = new MemoryBlockstore()
  const before = dagfs({ blockstore })

  // even numbers are there, odd ones are written
  await before.addAll(entries(held, contentBytes))

  const { root } = await before.commit()
  const written = Array.from({ length: writes }, (_, index) => 2 * Math.floor(index * held / writes) + 1)
  let last: { store: CountingStore, cid: typeof root } | undefined

  return {
    async round () {
      const store = new CountingStore(blockstore)
      const fs = dagfs({ blockstore: store }, { root })
      const { ms, result: cid } = await timeRun(async () => {
        for (const number of written) {
          await fs.writeFile(`/${nameOf(number)}`, contentOf(number, contentBytes))
        }

        return (await fs.commit()).root
      })

      last = { store, cid }

      return { ms, cid: cid.toString(), counted: countBlocks(store) }
    },
    verifiesEvery: false,
    async verify () {
      if (last == null) {
        throw new Error('nothing was written')
      }

      const fs = dagfs({ blockstore: last.store }, { root: last.cid })
      let files = 0

      for await (const { path, name } of fs.ls('/')) {
        assertSame(path, await fs.readFile(path), contentOf(Number(/\d+/.exec(name)?.[0]), contentBytes))
        files++
      }

      const expected = held + new Set(written).size

      if (files !== expected) {
        throw new Error(`${expected} files were to be there, and ${files} are`)
      }
    }
  }
}

function * entries (held: number, contentBytes: number): Generator<AddedEntry> {
  for (let index = 0; index < held; index++) {
    yield { path: `/${nameOf(2 * index)}`, content: contentOf(2 * index, contentBytes) }
  }
}
