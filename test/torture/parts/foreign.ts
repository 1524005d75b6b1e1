import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../../src/pack/index.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { below } from '../../seed.ts'
import { insult, undo } from '../insults/insult.ts'
import { refusal, Story } from '../insults/story.ts'
import { independent } from '../part.ts'
import type { Verified } from '../../../src/pack/index.ts'
import type { Insult } from '../insults/insult.ts'
import type { Case, Part } from '../part.ts'

export const foreign: Part = {
  claim: 'a pack store survives foreign, older and zeroed segments in its directory, and reports them',
  unit: 'stores',
  full: 20_000,
  daily: 10,
  open: independent(async given => inTemporary(async folder => { await tryForeign(folder, given) }))
}

async function tryForeign (folder: string, { next }: Case): Promise<void> {
  const [own, older, other, kept] = ['own', 'older', 'other', 'kept'].map(name => join(folder, name))
  await mkdir(kept)
  const story = new Story(own, 1_000_000, next)
  await story.spend(1 + below(next, 2))
  await cp(own, older, { recursive: true })
  await story.spend(1 + below(next, 2))
  await new Story(other, 2_000_000, next).spend(1 + below(next, 2))
  const isIndexRemoved = next() < 0.3
  const isStoreRemoved = next() < 0.15

  if (isIndexRemoved) {
    await rm(join(own, 'index.sqlite'))
  }

  const ownFile = await readFile(join(own, 'store'))

  if (isStoreRemoved) {
    await rm(join(own, 'store'))
  }

  const insults: Insult[] = []

  for (let i = 1 + below(next, 3); i > 0; i--) {
    insults.push(...[await insult(own, kept, { sources: { other, older }, before: insults }, next)].filter(made => made !== undefined))
  }

  const isOthers = insults.some(({ what }) => what === 'store') || (isStoreRemoved && await isAllOfOthers(own, insults))
  const isIndexed = !isIndexRemoved && !insults.some(({ what }) => what === 'index')
  const place = new Place(story, insults, { isOthers, isIndexed, isEndTold: isIndexed || !isStoreRemoved }, next)

  try {
    for (let sessions = 1 + below(next, 4); sessions > 0; sessions--) {
      await place.visit(next)
    }

    await place.expectForeignKept()
    await undo(own, kept, insults)

    if (isOthers) {
      // the other store may have been written to in this directory: nothing else says whose it was
      await writeFile(join(own, 'store'), ownFile)
    }

    await place.expectRecovered()
  } catch (err) {
    const told = insults.map(({ what, name, isInPlaceOfOwn }) => `${what} at ${name}${isInPlaceOfOwn ? ' in place of its own' : ''}`)
    throw new Error(`${told.join(', ')}${isIndexRemoved ? ', no index' : ''}${isStoreRemoved ? ', no file store' : ''}: ${place.told.join(', ')}: ${err instanceof Error ? err.message : String(err)}`, { cause: err })
  }
}

/** Whether nothing in a directory without the file `store` is its own any more: it is the other store's then. */
async function isAllOfOthers (directory: string, insults: readonly Insult[]): Promise<boolean> {
  const others = new Set(insults.filter(({ what }) => what !== 'older').map(({ name }) => name))

  return (await readdir(directory)).every(name => others.has(name) || name === 'lock.sqlite')
}

interface Circumstances {
  /** Whether it counts as the other store's, since its file `store` or all of its files say so */
  readonly isOthers: boolean
  readonly isIndexed: boolean
  /** Whether the index or the file `store` tells of the last record, where the segment that has it is hidden */
  readonly isEndTold: boolean
}

/** A directory with something foreign in it */
class Place {
  readonly told: string[] = []
  readonly #isOthers: boolean
  readonly #story: Story
  readonly #insults: readonly Insult[]
  readonly #circumstances: Circumstances
  /** What is written while the file `store` is another's, and so into another store in the same directory */
  readonly #stranger: Story
  /** Whether a writer went on from an earlier end, since nothing tells of the later one */
  #isForked = false

  constructor (story: Story, insults: readonly Insult[], circumstances: Circumstances, next: () => number) {
    this.#story = story
    this.#insults = insults
    this.#isOthers = circumstances.isOthers
    this.#circumstances = circumstances
    this.#stranger = new Story(story.directory, 3_000_000, next)
  }

  /** Whether all files of the store are in their places */
  get #isComplete (): boolean {
    return this.#insults.every(({ isInPlaceOfOwn, what }) => !isInPlaceOfOwn || what === 'index')
  }

  /** Opens the store to read, verify or write, which may be refused with an error that says why. */
  async visit (next: () => number): Promise<void> {
    const readonly = next() < 0.4
    const store = this.#story.open(readonly)

    if (next() < 0.2) {
      let verified: Verified | undefined
      const refused = await refusal(store.verify().then(found => { verified = found }))
      this.told.push(`verify: ${refused?.message ?? 'done'}`)
      this.#expectReported(verified)
    }

    const [refused, warnings] = await warningsOf(async () => refusal(store.open()))
    this.told.push(`open${readonly ? ' to read' : ''}: ${refused?.message ?? 'done'}`)

    if (refused !== undefined) {
      return
    }

    this.#expectAllOthers(warnings, 'warned of')
    // a writer that finds no file `store` begins a segment and closes with a record in it
    this.#isForked ||= !readonly && !this.#circumstances.isEndTold && !this.#isComplete

    try {
      await this.#use(store, readonly, next)
    } finally {
      this.told.push(`close: ${(await refusal(store.close()))?.message ?? 'done'}`)
    }
  }

  async #use (store: PackBlockstore, readonly: boolean, next: () => number): Promise<void> {
    await this.#expectContent(store)
    let verified: Verified | undefined
    const refused = await refusal(store.verify().then(found => { verified = found }))
    this.told.push(`verify: ${refused?.message ?? 'done'}`)
    this.#expectReported(verified)

    for (let steps = readonly ? 0 : below(next, 5); steps > 0; steps--) {
      this.#isForked ||= !this.#isOthers && !this.#isComplete
      this.told.push(`work: ${(await refusal((this.#isOthers ? this.#stranger : this.#story).work(store)))?.message ?? 'done'}`)
      await this.#expectContent(store)
    }
  }

  async #expectContent (store: PackBlockstore): Promise<void> {
    if (this.#isOthers) {
      return
    }

    await (this.#isComplete ? this.#story.expectWhole(store) : this.#story.expectOwn(store))

    if (this.#circumstances.isIndexed) {
      expect([...this.#story.possible], 'the root of a store with its index').to.include(await this.#story.root(store))
    }
  }

  /** Segments of another store are among the problems, unless the directory counts as the other store's. */
  #expectReported (verified: Verified | undefined): void {
    if (verified !== undefined) {
      this.#expectAllOthers(verified.problems.filter(({ kind }) => kind === 'foreign').map(({ path }) => path), 'reported')
    }
  }

  #expectAllOthers (told: readonly string[], how: string): void {
    for (const { what, name } of this.#isOthers ? [] : this.#insults) {
      if (what === 'other') {
        expect(told.some(text => text.includes(name)), `${name} is ${how}`).to.equal(true)
      }
    }
  }

  /** Every file of another store is there byte for byte, be it under another name. */
  async expectForeignKept (): Promise<void> {
    const { directory } = this.#story
    const there = await Promise.all((await readdir(directory, { withFileTypes: true })).filter(entry => entry.isFile()).map(async ({ name }) => readFile(join(directory, name))))

    for (const { what, name, bytes } of this.#insults) {
      if (bytes !== undefined && ((what === 'other' && !this.#isOthers) || what === 'zeros')) {
        expect(there.some(found => found.equals(bytes)), `the bytes of ${what} at ${name} are there`).to.equal(true)
      }
    }
  }

  /** With its own files in their places again, nothing that the store acknowledged is missing. */
  async expectRecovered (): Promise<void> {
    if (this.#isForked) {
      return
    }

    for (const readonly of [true, false]) {
      const store = this.#story.open(readonly)
      await store.open()

      try {
        await this.#story.expectWhole(store)
      } finally {
        await store.close()
      }
    }
  }
}

/** What something comes to, and the warnings of segments of other stores that were given meanwhile. */
async function warningsOf <T> (work: () => Promise<T>): Promise<[T, string[]]> {
  const warnings: string[] = []
  const note = ({ code, message }: Error & { readonly code?: string }): void => {
    if (code === 'DAGFS_FOREIGN_SEGMENT') {
      warnings.push(message)
    }
  }

  process.on('warning', note)

  try {
    const result = await work()
    await new Promise(resolve => { setImmediate(resolve) })

    return [result, warnings]
  } finally {
    process.off('warning', note)
  }
}
