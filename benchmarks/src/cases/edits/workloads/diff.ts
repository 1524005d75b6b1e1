import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from 'dagfs'
import { CountingStore } from '../../../harness/counting-store.ts'
import { timeRun } from '../../../harness/time-run.ts'
import { contentOf, nameOf } from './contents.ts'
import { countBlocks } from './count-blocks.ts'
import type { OpenWorkload, Workload } from './workload.ts'
import type { EditSizes } from '../sizes.ts'
import type { AddedEntry } from 'dagfs'

type PathOf = (index: number) => string

const FILES_PER_DIRECTORY = 1_000

/**
 * Two trees that differ in a few of many files: all in one directory, or a
 * thousand in each
 */
export const diffFlat = comparing('diff-flat', 'one directory', index => `/${nameOf(index)}`)
export const diffNested = comparing('diff-nested', `directories of ${FILES_PER_DIRECTORY}`, index => `/${nameOf(Math.floor(index / FILES_PER_DIRECTORY))}/${nameOf(index)}`)

function comparing (key: string, where: string, pathOf: PathOf): Workload {
  return {
    key,
    contenders: ['dagfs-mem'],
    group: 'diff',
    describe: ({ treeFiles, differing }) => `diff of two trees of ${treeFiles} files in ${where} that differ in ${differing}`,
    operations: () => 1,
    open: async (_, sizes) => open(sizes, pathOf)
  }
}

async function open ({ treeFiles, differing, contentBytes }: EditSizes, pathOf: PathOf): Promise<OpenWorkload> {
  const blockstore = new MemoryBlockstore()
  const fs = dagfs({ blockstore })

  await fs.addAll(entries(treeFiles, contentBytes, pathOf))

  const { root: from } = await fs.commit()
  const expected = new Map<string, string>()

  for (let number = 0; number < differing; number++) {
    const path = pathOf(Math.floor((number + 0.5) * treeFiles / differing))

    if (number % 3 === 0) {
      await fs.rm(path)
      expected.set(path, 'removed')
    } else if (number % 3 === 1) {
      await fs.writeFile(path, contentOf(treeFiles + number, contentBytes))
      expected.set(path, 'changed')
    } else {
      await fs.writeFile(`${path}.new`, contentOf(treeFiles + number, contentBytes))
      expected.set(`${path}.new`, 'added')
    }
  }

  const { root: to } = await fs.commit()
  let last: Array<{ path: string, kind: string }> = []

  return {
    async round () {
      const store = new CountingStore(blockstore)
      const reader = dagfs({ blockstore: store })
      const { ms, result } = await timeRun(async () => {
        const changes = []

        for await (const { path, kind } of reader.diff(from, to)) {
          changes.push({ path, kind })
        }

        return changes
      })

      last = result

      return { ms, cid: to.toString(), counted: countBlocks(store) }
    },
    verifiesEvery: true,
    async verify () {
      const found = new Map(last.map(({ path, kind }) => [path, kind]))

      if (last.length !== differing || [...expected].some(([path, kind]) => found.get(path) !== kind)) {
        throw new Error(`${differing} files differ, and the diff tells of ${last.map(({ path, kind }) => `${path} ${kind}`).join(', ')}`)
      }
    }
  }
}

function * entries (files: number, contentBytes: number, pathOf: PathOf): Generator<AddedEntry> {
  for (let index = 0; index < files; index++) {
    yield { path: pathOf(index), content: contentOf(index, contentBytes) }
  }
}
