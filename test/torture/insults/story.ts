import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { block, bytesOf, readBlock } from '../../pack/stores.ts'
import { below } from '../../seed.ts'
import { within } from '../within.ts'
import type { TestBlock } from '../../pack/stores.ts'

const maxMs = 20_000
const typed = new Set(['CorruptStoreError', 'StoreStateError', 'StoreLockedError', 'BlockMismatchError', 'NotFoundError'])

/** The error that something was refused with, if it is one of those that a store may throw. */
export async function refusal (work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await within(maxMs, work)

    return undefined
  } catch (err) {
    if (err instanceof Error && typed.has(err.name)) {
      return err
    }

    throw err
  }
}

/** A pack store's life, and what it acknowledged. */
export class Story {
  readonly directory: string
  /** What the caller expects to read */
  readonly live = new Map<string, TestBlock>()
  /** Every value of the root that was acknowledged, or may be there */
  readonly history = new Set<number>()
  /** The values that the root may have now: more than one after a refused publication */
  possible = new Set<number | undefined>([undefined])
  readonly #next: () => number
  readonly #firstBlock: number
  #made = 0

  /** Stores with other first numbers have other blocks and roots. */
  constructor (directory: string, firstBlock: number, next: () => number) {
    this.directory = directory
    this.#firstBlock = firstBlock
    this.#next = next
  }

  open (readonly = false): PackBlockstore {
    return new PackBlockstore(this.directory, { readonly, segmentBytes: 4_096, createIfMissing: this.history.size === 0 })
  }

  /** Puts some blocks and publishes a root; what is refused is not expected to be there. */
  async publish (store: PackBlockstore): Promise<void> {
    const root = this.#firstBlock + ++this.#made
    const put: TestBlock[] = []

    for (let i = below(this.#next, 6); i > 0; i--) {
      put.push(await block(bytesOf(root * 10 + i, 1 + below(this.#next, 2_500))))
    }

    const before = await store.roots.get('main')
    this.history.add(root)
    const failed = this.possible
    this.possible = new Set([...failed, root])

    for (const { cid, bytes } of put) {
      await store.put(cid, bytes)
    }

    expect(await store.roots.compareAndSet('main', before, valueOf(root))).to.equal(true)
    this.possible = new Set([root])
    put.forEach(made => { this.live.set(made.cid.toString(), made) })
  }

  async collect (store: PackBlockstore): Promise<void> {
    for (const name of this.live.keys()) {
      if (this.#next() < 0.3) {
        this.live.delete(name)
      }
    }

    await store.gc({ roots: [...this.live.values()].map(({ cid }) => cid), links: () => [], keepUncommitted: false, minGarbage: 0 })
  }

  async work (store: PackBlockstore): Promise<void> {
    const choice = this.#next()

    if (choice < 0.6) {
      await this.publish(store)
    } else if (choice < 0.8) {
      await this.collect(store)
    } else {
      await store.compact({ minGarbage: 0 })
    }
  }

  /** Some sessions of work. */
  async spend (sessions: number): Promise<void> {
    for (let i = 0; i < sessions; i++) {
      const store = this.open()
      await store.open()
      await this.publish(store)

      for (let steps = below(this.#next, 5); steps > 0; steps--) {
        await this.work(store)
      }

      await store.close()
    }
  }

  async root (store: PackBlockstore): Promise<number | undefined> {
    const value = await store.roots.get('main')

    return value === undefined ? undefined : new Float64Array(value.slice().buffer)[0]
  }

  /** All that was acknowledged is there. */
  async expectWhole (store: PackBlockstore): Promise<void> {
    const root = await this.root(store)
    expect([...this.possible], 'the root').to.include(root)
    this.possible = new Set([root])

    for (const { cid, bytes } of this.live.values()) {
      expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
    }
  }

  /** Nothing but this store's own is there: wrong bytes and another tree never. */
  async expectOwn (store: PackBlockstore): Promise<void> {
    const root = await this.root(store)

    if (root !== undefined) {
      expect([...this.history], 'the root').to.include(root)
    }

    for (const { cid, bytes } of this.live.values()) {
      let read: Uint8Array | undefined
      await refusal(readBlock(store, cid).then(found => { read = found }))
      expect(read === undefined || Buffer.compare(read, bytes) === 0).to.equal(true)
    }
  }
}

function valueOf (root: number): Uint8Array {
  return new Uint8Array(Float64Array.of(root).buffer)
}
