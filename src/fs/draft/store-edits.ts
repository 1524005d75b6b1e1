import { cidKey, directoryLinks } from '../../codec/index.ts'
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

  try {
    for (;;) {
      options.signal?.throwIfAborted()
      const { done, value } = await edits.next()

      if (done === true) {
        await Promise.all(inWork.values())
        return value
      }

      await makeRoom(inWork)
      start(inWork, value, writer, options)
    }
  } finally {
    await Promise.allSettled(inWork.values())
  }
}

async function makeRoom (inWork: Map<string, Promise<void>>): Promise<void> {
  if (inWork.size >= putsInWork) {
    await Promise.race(inWork.values())
  }
}

function start (inWork: Map<string, Promise<void>>, block: Block, writer: BlockWriter, options: AbortOptions): void {
  const key = cidKey(block.cid)

  // two directories of the same content are one block
  if (inWork.has(key)) {
    return
  }

  const started = inWork.size === 0 ? writer.putAtOnce(block, options) : putBehind(inWork, block, writer, options)

  if (started === undefined) {
    return
  }

  const put = started.then(() => { inWork.delete(key) })
  // it is awaited with the others; until then a failure must not count as unhandled
  put.catch(() => {})
  inWork.set(key, put)
}

async function putBehind (inWork: ReadonlyMap<string, Promise<void>>, block: Block, writer: BlockWriter, options: AbortOptions): Promise<void> {
  await Promise.all(directoryLinks(block).map(async link => inWork.get(cidKey(link))))
  await writer.put(block, options)
}
