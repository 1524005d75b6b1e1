import { CustomProgressEvent } from 'progress-events'
import { throwIfAborted } from '../../abort.ts'
import { CidSet, blockReader } from '../../blockstore/index.ts'
import { Budget, heldLimits } from '../../budget.ts'
import { decodeSnapshot } from '../../codec/index.ts'
import { mapAhead } from '../../concurrency.ts'
import { InvalidOptionError } from '../../errors.ts'
import { checkLayout, layoutNumbers } from '../../file/index.ts'
import { checkOptions, integerOption } from '../../options.ts'
import { isMissing } from '../publish/block-presence.ts'
import { check } from './check.ts'
import { nameOf, pathOf, rootPlace } from './claims.ts'
import type { Checked, Fault } from './check.ts'
import type { Link } from './claims.ts'
import type { TreeProblem, VerifyOptions, VerifyReport } from './types.ts'
import type { BlockReader, BlockSource, BlockStore } from '../../blockstore/index.ts'
import type { Block, Layout, Snapshot } from '../../codec/index.ts'
import type { FileLayout } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

// enough to hide the latency of a disk or browser store
const readsInWork = 16
// links that wait are some 300 bytes each: with as many as this, a few nodes of 4,000 are not opened side by side
const manyWaiting = 65_536
const blocksBetweenReports = 1000
const defaultMaxProblems = 1000

/** What a verification begins with. */
export interface VerifyStart {
  readonly roots: readonly CID[]
  /** That of the files, where it is known */
  readonly layout: FileLayout | undefined
}

/**
 * Looks at every block below some roots, as the store has it now: whether it is there, has the bytes that its CID names,
 * is a canonical node, and fits what is said of it from above.
 */
export async function verifyTrees (store: BlockStore, start: VerifyStart, options: VerifyOptions): Promise<VerifyReport> {
  checkOptions(options, ['history', 'layout', 'limits', 'maxProblems', 'onProgress', 'signal'])
  integerOption('maxProblems', options.maxProblems)

  return new Verification(store, options).run(start.roots, numbersOf(options.layout, start.layout))
}

function numbersOf (given: FileLayout | undefined, known: FileLayout | undefined): Layout | undefined {
  if (given !== undefined && checkLayout(given).chunker.isFixed !== true) {
    throw new InvalidOptionError('layout.chunker', 'must be a fixedSize: verify supports no other')
  }

  const layout = given ?? known

  return layout?.chunker.isFixed === true ? layoutNumbers(layout) : undefined
}

/** A block that was read, or why it was not. */
type Read = { readonly link: Link } & ({ readonly block: Block } | { readonly failure: unknown })

class Verification {
  readonly #store: BlockStore
  readonly #blocks: BlockReader
  readonly #options: VerifyOptions
  readonly #maxProblems: number
  readonly #budget: Budget
  /** For blocks that are checked again: a hostile block can be linked to with thousands of claims */
  readonly #budgetAgain: Budget
  /** Names of what was looked at or waits for it */
  readonly #seen = new CidSet()
  readonly #checked = new CidSet()
  /** The next one last */
  readonly #waiting: Link[] = []
  readonly #problems: TreeProblem[] = []
  readonly #shallow: CID[] = []
  #problemCount = 0
  #looked = 0
  #bytes = 0

  constructor (store: BlockStore, options: VerifyOptions) {
    this.#store = store
    this.#options = options
    this.#maxProblems = options.maxProblems ?? defaultMaxProblems
    this.#budget = Budget.of(options.limits, {}, '/')
    this.#budgetAgain = Budget.of(options.limits, heldLimits, '/')
    // what is not there must not be fetched from a network, which a Helia node would do
    const local: BlockSource = { get: (cid, getOptions) => store.get(cid, { ...getOptions, offline: true } as AbortOptions) }
    this.#blocks = blockReader(local, { trusted: false })
  }

  async run (roots: readonly CID[], layout: Layout | undefined): Promise<VerifyReport> {
    await this.#enter(roots.map(cid => ({ cid, claims: { role: 'any' }, place: rootPlace(layout) })))

    while (this.#waiting.length > 0) {
      for await (const read of mapAhead(this.#next(), readsInWork, async link => this.#read(link))) {
        await this.#look(read)
      }
    }

    this.#report()

    return { blocks: this.#looked, bytes: this.#bytes, problems: this.#problems, problemCount: this.#problemCount, shallow: this.#shallow }
  }

  #next (): Link[] {
    const count = this.#waiting.length > manyWaiting ? 1 : readsInWork

    return this.#waiting.splice(-count).reverse()
  }

  /** Has links wait, the first of them on top, but for those that were looked at or wait already. */
  async #enter (links: readonly Link[]): Promise<void> {
    for (const link of links.toReversed()) {
      if (this.#seen.add(await nameOf(link))) {
        this.#waiting.push(link)
      }
    }
  }

  async #read (link: Link): Promise<Read> {
    try {
      return { link, block: await this.#blocks.get(link.cid, this.#options) }
    } catch (failure) {
      throwIfAborted(this.#options.signal)

      return { link, failure }
    }
  }

  async #look (read: Read): Promise<void> {
    const { link } = read

    if (!('block' in read)) {
      return this.#fail(link, read.failure)
    }

    this.#count(read.block)
    const checked = this.#check(link, read.block)

    if (checked === undefined) {
      return
    }

    this.#budget.spend('entries', checked.entries ?? 0)
    checked.faults.forEach(fault => { this.#add(link.cid, fault) })
    await this.#enter(checked.links)

    if (checked.snapshot !== undefined) {
      await this.#compareGenerations(link, checked.snapshot)
    }
  }

  #count ({ cid, bytes: { byteLength } }: Block): void {
    this.#looked++
    this.#bytes += byteLength

    for (const budget of [this.#budget, ...this.#checked.add(cid) ? [] : [this.#budgetAgain]]) {
      budget.spend('blocks', 1)
      budget.spend('bytes', byteLength)
    }

    if (this.#looked % blocksBetweenReports === 0) {
      this.#report()
    }
  }

  /** Checks a block; undefined where it is no node of the expected kind, which is reported. */
  #check (link: Link, block: Block): Checked | undefined {
    try {
      return check(link, block, { history: this.#options.history === true })
    } catch (err) {
      this.#refuse(link, err)
    }
  }

  /** Says what is wrong with a block that the store did not give. */
  async #fail (link: Link, failure: unknown): Promise<void> {
    const { cid, claims, place } = link

    if (isOf(failure, 'BlockMismatchError')) {
      this.#add(cid, { kind: 'damaged', reason: 'its bytes do not match its CID', place }, failure)
    } else if (isOf(failure, 'LimitExceededError')) {
      this.#refuse(link, failure)
    } else if (isOf(failure, 'StoreStateError')) {
      // a store that was closed says nothing of the tree
      throw failure
    } else if (!await this.#isMissing(cid, failure)) {
      this.#add(cid, { kind: 'unreadable', reason: 'the store failed to read it', place }, failure)
    } else if (claims.role === 'snapshot' && claims.isParent) {
      this.#shallow.push(...this.#shallow.length < this.#maxProblems ? [cid] : [])
    } else {
      this.#add(cid, { kind: 'missing', reason: 'the store does not have it', place }, failure)
    }
  }

  async #isMissing (cid: CID, failure: unknown): Promise<boolean> {
    try {
      return await isMissing(this.#store, cid, failure, this.#options)
    } catch {
      // it is not known, and the failure of the read is what is reported
      throwIfAborted(this.#options.signal)

      return false
    }
  }

  /** Reports a block that is no node of the kind that its place asks for. */
  #refuse ({ cid, place }: Link, refusal: unknown): void {
    if (!isRefusal(refusal)) {
      throw refusal
    }

    this.#add(cid, { kind: refusal.name === 'UnsupportedVersionError' ? 'unsupported' : 'invalid', reason: refusal.message, place })
  }

  /** Compares a snapshot with its parents, as far as these can be read: what is wrong with them is reported by itself. */
  async #compareGenerations (link: Link, { parents, generation }: Snapshot): Promise<void> {
    const known: number[] = []

    for (const cid of parents) {
      known.push(...await this.#generationOf({ ...link, cid }))
    }

    const highest = Math.max(-1, ...known)

    if (known.length === parents.length ? generation !== highest + 1 : generation <= highest) {
      this.#add(link.cid, { kind: 'contradiction', reason: `it has generation ${generation}, but its parents' highest is ${highest}`, place: link.place })
    }
  }

  async #generationOf (link: Link): Promise<number[]> {
    const read = await this.#read(link)

    try {
      return 'block' in read ? [decodeSnapshot(read.block).generation] : []
    } catch (err) {
      if (isRefusal(err)) {
        return []
      }

      throw err
    }
  }

  #add (cid: CID, { kind, reason, place }: Fault, cause?: unknown): void {
    this.#problemCount++

    if (this.#problems.length < this.#maxProblems) {
      const { snapshot } = place
      this.#problems.push({ kind, cid, path: pathOf(place), ...(snapshot === undefined ? {} : { snapshot }), reason, ...(cause === undefined ? {} : { cause }) })
    }
  }

  #report (): void {
    this.#options.onProgress?.(new CustomProgressEvent('dagfs:verify', { blocks: this.#looked, bytes: this.#bytes, problems: this.#problemCount }))
  }
}

function isOf (err: unknown, ...names: string[]): err is Error {
  return err instanceof Error && names.includes(err.name)
}

function isRefusal (err: unknown): err is Error {
  return isOf(err, 'InvalidNodeError', 'LimitExceededError', 'UnsupportedVersionError')
}
