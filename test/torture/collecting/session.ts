import { expect } from 'aegir/chai'
import { readBlock } from '../../pack/stores.ts'
import { below } from '../../seed.ts'
import { within } from '../within.ts'
import { encodeValue, names, readPublished } from './published.ts'
import { linksOf, treeNumbers } from './trees.ts'
import type { Draft, Model, Published } from './model.ts'
import type { Name } from './published.ts'
import type { TreeBlock } from './trees.ts'
import type { PackBlockstore } from '../../../src/pack/index.ts'

// nothing takes a hundredth of it, unless it hangs
const maxMs = 60_000

/** What can be done to a store, as often as its weight says */
const weights = { publish: 5, unpublish: 1, put: 4, delete: 3, get: 5, read: 3, list: 1, collect: 2, compact: 1, verify: 1, sync: 1 } as const

const actions = Object.entries(weights).flatMap(([action, weight]) => new Array<keyof typeof weights>(weight).fill(action as keyof typeof weights))

/** Does random things to a store that is open, any number of them at once, and holds what comes of them against the model. */
export class Session {
  readonly #store: PackBlockstore
  readonly #pool: readonly TreeBlock[]
  readonly #model: Model
  readonly #next: () => number

  constructor (store: PackBlockstore, pool: readonly TreeBlock[], model: Model, next: () => number) {
    this.#store = store
    this.#pool = pool
    this.#model = model
    this.#next = next
  }

  async act (): Promise<void> {
    await within(maxMs, this[this.#pick(actions)]())
  }

  /** Stores a tree, each block after those that it links to, and has a name stand for it. */
  async publish (): Promise<void> {
    const draft = this.#model.beginDraft(this.#pick(treeNumbers))

    if (draft === undefined) {
      return
    }

    try {
      await this.#storeTree(draft)
      await this.#set(this.#pick(names), { root: draft.root, value: encodeValue(this.#model.newNumber(), this.#pool[draft.root].cid) })
    } finally {
      this.#model.endDraft(draft)
    }
  }

  async unpublish (): Promise<void> {
    await this.#set(this.#pick(names), undefined)
  }

  async put (): Promise<void> {
    await this.#put(this.#anyBlock())
  }

  async delete (): Promise<void> {
    const number = this.#anyBlock()

    if (this.#model.isFree(number)) {
      const answered = this.#model.beginDelete(number)
      await this.#store.delete(this.#pool[number].cid)
      answered()
    }
  }

  async get (): Promise<void> {
    const number = this.#anyBlock()
    const stateMeanwhile = this.#model.watch(number)
    const found = await readIfPresent(this.#store, this.#pool[number])

    expect(found ? 'there' : 'gone', `block ${number}`).to.be.oneOf(possible(stateMeanwhile()))
  }

  async read (): Promise<void> {
    await readPublished(this.#store, this.#pick(names))
  }

  async list (): Promise<void> {
    const watched = this.#pool.map((_, number) => this.#model.watch(number))
    const listed = new Set<string>()

    for await (const { cid } of this.#store.getAll()) {
      listed.add(String(cid))
    }

    for (const [number, stateMeanwhile] of watched.entries()) {
      expect(listed.has(String(this.#pool[number].cid)) ? 'there' : 'gone', `listed block ${number}`).to.be.oneOf(possible(stateMeanwhile()))
    }
  }

  async collect (): Promise<void> {
    await this.collectWith(this.#next() < 0.5, this.#minGarbage())
  }

  async collectWith (keepUncommitted: boolean, minGarbage: number): Promise<void> {
    const pool = this.#pool
    const model = this.#model
    let marked: readonly number[] = []

    // what is asked for first when nothing is removed any more that comes from then on
    function * roots (): Generator<TreeBlock['cid']> {
      marked = model.mark(keepUncommitted)
      yield * marked.map(number => pool[number].cid)
    }

    try {
      const { reached } = await this.#store.gc({ roots: roots(), links: linksOf, keepUncommitted, minGarbage })
      expect(reached).to.equal(model.reachOf(marked).size)
    } finally {
      model.endCollection(marked)
    }
  }

  async compact (): Promise<void> {
    await this.#store.compact({ minGarbage: this.#minGarbage() })
  }

  async verify (): Promise<void> {
    expect((await this.#store.verify()).problems).to.deep.equal([])
  }

  async sync (): Promise<void> {
    await this.#store.sync()
  }

  async #storeTree ({ root, stored }: Draft): Promise<void> {
    const reach = [...this.#pool[root].reach]

    for (let level = 0; level <= this.#pool[root].level; level++) {
      await Promise.all(reach.filter(number => this.#pool[number].level === level).map(async number => {
        await this.#put(number)
        stored.add(number)
      }))
    }
  }

  async #put (number: number): Promise<void> {
    const { cid, bytes } = this.#pool[number]
    const answered = this.#model.beginPut(number)
    await this.#store.put(cid, bytes)
    answered()
  }

  async #set (name: Name, next: Published | undefined): Promise<void> {
    const expected = this.#model.published.get(name)?.value
    const answered = this.#model.beginPublish(name, next)
    const isSet = await this.#store.roots.compareAndSet(name, expected, next?.value)
    // what somebody else sets meanwhile is answered before
    expect(isSet).to.equal(this.#model.published.get(name)?.value === expected)
    answered(isSet)
  }

  /** Now and then a segment stays whose garbage a later one tells of */
  #minGarbage (): number {
    return this.#next() < 0.5 ? 0 : this.#next()
  }

  #anyBlock (): number {
    return below(this.#next, this.#pool.length)
  }

  #pick <T> (items: readonly T[]): T {
    return items[below(this.#next, items.length)]
  }
}

/** Holds every block and every name against the model, when nothing else goes on. */
export async function expectModel (store: PackBlockstore, pool: readonly TreeBlock[], model: Model): Promise<void> {
  expect((await store.verify()).problems).to.deep.equal([])

  for (const [number, block] of pool.entries()) {
    expect(await readIfPresent(store, block) ? 'there' : 'gone', `block ${number}`).to.be.oneOf(possible(model.watch(number)()))
  }

  for (const name of names) {
    expect(await store.roots.get(name)).to.deep.equal(model.published.get(name)?.value)
    await readPublished(store, name)
  }
}

/** Reads a block and answers whether it is there. */
async function readIfPresent (store: PackBlockstore, { cid, bytes }: TreeBlock): Promise<boolean> {
  try {
    expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)

    return true
  } catch (err) {
    if (err instanceof Error && err.name === 'NotFoundError') {
      return false
    }

    throw err
  }
}

function possible (state: ReturnType<ReturnType<Model['watch']>>): string[] {
  return state === 'unknown' ? ['there', 'gone'] : [state]
}
