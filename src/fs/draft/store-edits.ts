import { cidKey, directoryLinks } from '../../codec/index.ts'
import { pace } from '../../pace.ts'
import { applyEdits } from '../../tree/index.ts'
import type { BlockReader, BlockWriter } from '../../blockstore/index.ts'
import type { Block } from '../../codec/index.ts'
import type { DirectoryRoot } from '../../directory/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { DirectoryEdit } from '../../tree/index.ts'

// as many as blockstores put at once by themselves where they are given several
const putsInWork = 32

/**
 * Applies edits and puts the blocks that they make, each after those that it links to.
 */
export async function storeEdits ({ blocks, writer }: { blocks: BlockReader, writer: BlockWriter }, edit: DirectoryEdit, options: AbortOptions): Promise<DirectoryRoot> {
  const inWork = new Map<string, Promise<void>>()
  const edits = applyEdits(blocks, edit, options)
  let isPrompt = false

  try {
    for (;;) {
      // here, and so not within a put: what a store does at once, it then does so
      await pace(options)
      const { done, value } = await edits.next()

      if (done === true) {
        await Promise.all(inWork.values())
        return value
      }

      const key = cidKey(value.cid)

      // two directories of the same content are one block
      if (inWork.has(key)) {
        continue
      }

      if (inWork.size >= putsInWork) {
        await Promise.race(inWork.values())
      }

      const putting = inWork.size === 0 ? writer.putAtOnce(value, options) : putBehind(inWork, value, writer, options)

      if (putting === undefined) {
        isPrompt = true
      } else if (isPrompt) {
        // a store that resolves at once has others wait for a reason, and is soon there again
        await putting
      } else {
        const put = putting.then(() => { inWork.delete(key) })
        // it is awaited with the others; until then a failure must not count as unhandled
        put.catch(() => {})
        inWork.set(key, put)
      }
    }
  } finally {
    await Promise.allSettled(inWork.values())
  }
}

async function putBehind (inWork: ReadonlyMap<string, Promise<void>>, block: Block, writer: BlockWriter, options: AbortOptions): Promise<void> {
  await Promise.all(directoryLinks(block).map(async link => inWork.get(cidKey(link))))
  await writer.put(block, options)
}
