import { timeRun } from '../../../harness/time-run.ts'
import { assertSame, contentOf, nameOf } from './contents.ts'
import type { OpenWorkload, Workload } from './workload.ts'
import type { Tree } from '../../../trees/tree.ts'
import type { EditorKey, OpenEditor } from '../editors/index.ts'
import type { EditSizes } from '../sizes.ts'

const DIRECTORY = '/directory'

/**
 * Small files, one write each, into one directory, then a commit
 */
export const write = writing('write', 'write', ['dagfs-mem', 'helia-mfs', 'wnfs'], ({ writes }) => writes)

/**
 * The same with many more files, which the others would take hours for
 */
export const fillFewer = writing('fill-fewer', 'fill', ['dagfs-mem'], ({ fewer }) => fewer)
export const fillMore = writing('fill-more', 'fill', ['dagfs-mem'], ({ more }) => more)

function writing (key: string, group: string, contenders: readonly EditorKey[], filesOf: (sizes: EditSizes) => number): Workload {
  return {
    key,
    contenders,
    group,
    describe: sizes => `${filesOf(sizes)} writes of ${sizes.contentBytes} bytes into one empty directory, then a commit`,
    operations: filesOf,
    open: async (editor, sizes) => open(editor, filesOf(sizes), sizes.contentBytes)
  }
}

function open (editor: OpenEditor, files: number, bytes: number): OpenWorkload {
  let last: Tree | undefined

  return {
    async round () {
      // of two trees, the last one's blocks would still be in memory
      last = undefined

      const tree = await editor.create()
      const { ms, result: cid } = await timeRun(async () => {
        await tree.mkdir(DIRECTORY)

        for (let index = 0; index < files; index++) {
          await tree.write(`${DIRECTORY}/${nameOf(index)}`, contentOf(index, bytes))
        }

        return tree.commit()
      })

      last = tree

      return { ms, cid }
    },
    verifiesEvery: false,
    async verify () {
      if (last == null) {
        throw new Error('nothing was written')
      }

      await verifyFiles(last, files, bytes)
    }
  }
}

/**
 * Holds every name and byte of the directory against what was written.
 */
async function verifyFiles (tree: Tree, files: number, bytes: number): Promise<void> {
  const stored = await tree.reopen()
  const names = (await stored.names(DIRECTORY)).sort()

  if (names.length !== files || names.some((name, index) => name !== nameOf(index))) {
    throw new Error(`${files} files were written, and ${names.length} are stored, or others`)
  }

  for (let index = 0; index < files; index++) {
    const path = `${DIRECTORY}/${nameOf(index)}`

    assertSame(path, await stored.read(path), contentOf(index, bytes))
  }
}
