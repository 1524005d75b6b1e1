import { IDBBlockstore } from 'blockstore-idb'
import { dagfs } from 'dagfs'
import { readFrames } from './framing.ts'
import { layoutOf } from './layout.ts'

// what runs in the page; idb-target.ts drives it

/**
 * What the page can be told to do
 */
export interface IdbPage {
  prepare(): Promise<void>
  add(inlineBytes: number): Promise<string>
  clean(): Promise<void>
}

const NAME = 'dagfs-benchmarks'

let store: IDBBlockstore | undefined

const page: IdbPage = {
  async prepare () {
    store = new IDBBlockstore(NAME)
    await store.open()

    const held = []

    for await (const { cid } of store.getAll()) {
      held.push(cid)
    }

    if (held.length > 0) {
      throw new Error(`the store is not empty, it holds ${held.length} blocks`)
    }
  },
  async add (inlineBytes) {
    const { body } = await fetch('/entries')

    if (store == null || body == null) {
      throw new Error('there is no store or no source')
    }

    const fs = dagfs({ blockstore: store }, { layout: layoutOf(inlineBytes) })

    await fs.addAll(readFrames(body))

    const { root } = await fs.commit()

    return root.toString()
  },
  async clean () {
    // a database that is open is not deleted before it is closed
    await store?.close()
    await store?.destroy()
    store = undefined
  }
}

Object.assign(globalThis, { idbPage: page })
