import type { GateRow } from './row.ts'
import type { EditSizes } from '../../cases/edits/sizes.ts'

/**
 * Some milliseconds a round
 */
const SIZES: EditSizes = {
  writes: 300,
  reads: 300,
  contentBytes: 100,
  fewer: 2_000,
  more: 2_000,
  fileBytes: 2 ** 22,
  treeFiles: 2_000,
  differing: 10
}

/**
 * A workload of the case `edits`, in memory. Its trees are made ready within the
 * clock, which is next to nothing.
 */
export function editsRow (workload: string): GateRow {
  return {
    key: `edits / ${workload} / dagfs-mem`,
    isThreaded: false,
    async open () {
      const [{ editorOf }, { workloadOf }] = await Promise.all([import('../../cases/edits/editors/index.ts'), import('../../cases/edits/workloads/index.ts')])
      const opened = await workloadOf(workload).open(await editorOf('dagfs-mem').open(), SIZES)

      await opened.round()
      await opened.verify()

      return { run: async () => (await opened.round()).cid }
    }
  }
}
