import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { dagfs } from 'dagfs'
import { PackBlockstore } from 'dagfs/pack'
import { startKuboDaemon } from '../src/contenders/kubo-daemon.ts'
import { collectRefs } from '../src/contenders/kubo-refs.ts'
import { findKubo } from '../src/tools/find-kubo.ts'
import { temporary } from './temporary.ts'

describe('the segments of a pack store', () => {
  it('are CARs that Kubo imports', async () => {
    const directory = await temporary()
    const { binary } = await findKubo(() => {}, new AbortController().signal)
    const store = join(directory, 'store')
    const { root, blocks } = await fill(store)
    const { node } = await startKuboDaemon(binary, directory)

    try {
      const names = (await readdir(store)).filter(name => name.endsWith('.car'))

      assert.ok(names.length > 2)

      for await (const { root: { pinErrorMsg } } of node.api.dag.import(names.map(name => createReadStream(join(store, name))), { pinRoots: false })) {
        assert.equal(pinErrorMsg, '')
      }

      const references = await collectRefs(node.api.refs(root, { recursive: true, unique: true }))

      assert.deepEqual([...references, root].sort(), blocks.sort())
    } finally {
      await node.stop()
    }
  })
})

/**
 * Puts a tree into a new store of several segments, and answers its CIDs.
 */
async function fill (path: string): Promise<{ readonly root: string, readonly blocks: string[] }> {
  const store = new PackBlockstore(path, { segmentBytes: 100_000 })

  await store.open()

  try {
    const fs = dagfs({ blockstore: store }, { name: 'site', roots: store.roots })

    for (let i = 0; i < 50; i++) {
      await fs.mkdir(`/directory ${i % 5}`, { recursive: true })
      await fs.writeFile(`/directory ${i % 5}/${i}`, `${i}`.repeat(5_000))
    }

    const { root } = await fs.commit()
    const blocks: string[] = []

    for await (const { cid } of store.getAll()) {
      blocks.push(cid.toString())
    }

    return { root: root.toString(), blocks }
  } finally {
    await store.close()
  }
}
