import type { GateRow } from './row.ts'
import type { Source } from '../../cases/headers/operations/index.ts'
import type { Tree } from '../../trees/tree.ts'

interface Prepared {
  readonly tree: Tree
  readonly cid: string
  readonly source: Source
}

/**
 * Of the file that is read, or written over: more than a directory holds
 */
const FILE_BYTES = 10 * 1024

/**
 * An operation of the case `headers`, in memory, so many times a run that it takes some milliseconds. Each time it opens the
 * tree by its root; what writes gets a tree in a store of its own.
 */
export function headersRow (operation: 'cat-subdir' | 'write-subdir', times: number): GateRow {
  return {
    key: `headers / ${operation} / dagfs-mem`,
    isThreaded: false,
    async open () {
      const [{ MemoryBlockstore }, { dagfs }, { operationOf }] = await Promise.all([
        import('blockstore-core'),
        import('../../cases/headers/contenders/dagfs.ts'),
        import('../../cases/headers/operations/index.ts')
      ])
      const contender = await dagfs.open()
      const subject = operationOf(operation)
      const prepareOne = async (): Promise<Prepared> => {
        const tree = await contender.create(new MemoryBlockstore())

        await subject.prepare(tree, FILE_BYTES)

        return { tree, cid: await tree.commit(), source: subject.source(FILE_BYTES) }
      }
      const runOne = async ({ tree, source }: Prepared): Promise<{ opened: Tree, result: Uint8Array | string }> => {
        const opened = await tree.reopen()

        return { opened, result: await subject.run(opened, source) }
      }
      const first = await prepareOne()
      const { opened, result: expected } = await runOne(first)
      let prepared = new Array<Prepared>(times).fill(first)

      await subject.verify(opened, expected, FILE_BYTES)

      return {
        async prepare () {
          if (!subject.readsOnly) {
            prepared = await Promise.all(prepared.map(prepareOne))
          }
        },
        async run () {
          const answers = new Set<string>()

          for (const one of prepared) {
            const { result } = await runOne(one)

            answers.add(typeof result === 'string' ? result : `${result.byteLength} bytes of ${one.cid}`)
          }

          return [...answers].join()
        }
      }
    }
  }
}
