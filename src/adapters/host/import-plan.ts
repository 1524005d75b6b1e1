import { dirname } from 'node:path'
import { pace } from '../../pace.ts'
import { factsOf, racyFacts, seenWith } from './facts.ts'
import { lookAt } from './look-at.ts'
import { PlanPlaces, below } from './plan-places.ts'
import { RacyWindow } from './racy-window.ts'
import type { HostEntry, HostListing } from './host-walk.ts'
import type { ImportRecord } from './import-record.ts'
import type { Known, PlannedDirectory } from './plan-places.ts'
import type { HostPlace } from './racy-window.ts'
import type { HostStat } from './read-host-file.ts'
import type { Addition, Checkpoints, DagFs, AdapterApi, StoredAddition } from '../../fs/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

export interface ImportPlanInit {
  readonly target: DagFs
  readonly adapterApi: AdapterApi
  /** The directory of the tree that is imported into */
  readonly to: string
  /** What is known of earlier imports, if anything */
  readonly record: ImportRecord | undefined
  /** Whether to write to the record */
  readonly isRecording: boolean
  /** How often to do so in between */
  readonly recordEveryMs: number
  /** How long before the import a file must have changed to be known by its facts */
  readonly racyWindowMs: number
  /** Whether to remove what the host does not have */
  readonly isMirror: boolean
  readonly options: AbortOptions
  /** Whether the tree is to have more of entries than their content */
  readonly hasAttributes: boolean
  /** What it is to have */
  attributes(stat: HostStat): Pick<StoredAddition, 'mode' | 'mtime'>
  /** Told of what stays in the tree as it is */
  onUnchanged(kind: HostEntry['kind'], size: number): void
  /** Told of a file whose content was taken from the store */
  onReused(): void
  /** Whether something was left out */
  isIncomplete(): boolean
}

// what an interruption may cost
export const defaultRecordEveryMs = 10_000
const checkpointEntries = 50_000
const smallImport = 1_000

/**
 * Decides what is to be done with what is found on the host: nothing where the tree has it, no read where the store has
 * its content; and finds what has to be removed.
 */
export class ImportPlan {
  readonly #init: ImportPlanInit
  readonly #window: RacyWindow
  /** When files that are being read were seen as they are by an earlier import, to which they were racy */
  readonly #seen = new Map<string, { readonly facts: string, readonly ms: number }>()
  #places: PlanPlaces
  /** Whether the tree's directory has no other names than those in the record */
  #isExact = false
  #checkpointAt: number

  constructor (init: ImportPlanInit) {
    this.#init = init
    this.#places = new PlanPlaces(init)
    this.#window = new RacyWindow(init.racyWindowMs, () => init.isRecording ? init.record?.sampleTime() : undefined)
    this.#checkpointAt = performance.now() + init.recordEveryMs
  }

  /**
   * Returns what is to be added to the tree, and entries of the host that have to be read for that as they were found.
   *
   * @param walk - tells of each directory that it reads before it gives what is in it
   */
  async * steps (walk: (listed: (listing: HostListing) => void) => Iterable<HostEntry | undefined>): AsyncGenerator<HostEntry | Addition> {
    const listings: HostListing[] = []
    await this.#begin()

    for (const found of walk(listing => { listings.push(listing) })) {
      const turn = pace(this.#init.options)

      if (turn !== undefined) {
        await turn
      }

      if (listings.length > 0) {
        yield * this.#enter(listings.splice(0))
      }

      const step = found === undefined ? undefined : this.#step(found)
      const decided = step instanceof Promise ? await step : step

      if (decided !== undefined) {
        this.#window.begin()
        yield decided
      }
    }

    yield * this.#enter(listings)
  }

  async #begin (): Promise<void> {
    const { adapterApi, record, options } = this.#init
    const recorded = await record?.read(options)
    this.#places = new PlanPlaces(this.#init, recorded?.map(section => ({ ...section, partialTree: adapterApi.partialTree(section.tree) })))
    const { standing, now } = await this.#places.begin()

    if (standing === undefined) {
      record?.begin()
    }

    this.#isExact = standing === undefined ? now.size === 0 : standing.section.isExact
  }

  async * #enter (listings: readonly HostListing[]): AsyncGenerator<Addition> {
    for (const { segments, kinds } of listings) {
      const place = await this.#places.enter(segments)

      // where the directory that it is in stands as well, all of this was recorded with that
      if (place.standing !== undefined && segments.length > 0 && this.#places.of(segments).standing === undefined) {
        await this.#init.record?.carryForward(segments, place.standing.recorded, this.#init.options)
      }

      if (this.#init.isMirror) {
        yield * this.#absent(place, segments, kinds())
      }
    }
  }

  /** What has to go: what the host does not have, and what stands where it has something that cannot take its place. */
  async * #absent (place: PlannedDirectory, segments: readonly string[], listed: ReturnType<HostListing['kinds']>): AsyncGenerator<Addition> {
    const names = new Map<string, HostEntry['kind'] | undefined>()

    for (const entry of listed) {
      const turning = pace(this.#init.options)

      // promises for each of many names take longer than the names
      if (turning !== undefined) {
        await turning
      }

      if (entry !== undefined) {
        names.set(...entry)
      }
    }

    for (const [name, kind] of this.#places.kinds(place)) {
      const turning = pace(this.#init.options)

      if (turning !== undefined) {
        await turning
      }

      const found = names.get(name)
      // what is there and cannot be imported is not gone
      const isGone = found === undefined ? !names.has(name) : (found === 'directory') !== (kind === 'directory')

      if (isGone) {
        const path = [...segments, name].join('/')
        yield { kind: 'absent', path: below(this.#init.to, path) }
      }
    }
  }

  #step (found: HostEntry): HostEntry | undefined | Promise<HostEntry | Addition> {
    const { known, standing } = this.#places.of(found.segments)
    const name = found.segments[found.segments.length - 1]
    const there = standing?.recorded.names.get(name)

    if (found.kind === 'directory') {
      const facts = this.#directoryFacts(this.#init.hasAttributes ? lookAt(found.hostPath) : undefined)

      return typeof there === 'object' && there.facts === facts ? this.#unchanged('directory', 0) : this.#add(found, facts)
    }

    const stat = lookAt(found.hostPath)

    // whoever reads it will say why that cannot be done
    if (stat === undefined) {
      return found
    }

    const facts = factsOf(found.kind, stat)

    if (there === facts) {
      return this.#unchanged(found.kind, Number(stat.size))
    }

    const seenMs = this.#seenMs(known, name, facts)

    if (found.kind === 'symlink') {
      return this.#add(found, this.#factsOf(found.kind, stat, { dev: stat.dev, directory: dirname(found.hostPath) }, seenMs))
    }

    if (seenMs !== undefined) {
      this.#seen.set(found.below, { facts, ms: seenMs })
    }

    return known.some(({ recorded }) => recorded.names.get(name) === facts) ? this.#reuse(found, stat, facts) : found
  }

  #seenMs (known: readonly Known[], name: string, facts: string): number | undefined {
    const seen = known.flatMap(({ recorded }) => {
      const before = recorded.names.get(name)

      return typeof before === 'string' ? seenWith(before, facts) ?? [] : []
    })

    return seen.length === 0 ? undefined : Math.min(...seen)
  }

  /** What is recorded of a file or link that was looked at just before. */
  #factsOf (kind: 'file' | 'symlink', stat: HostStat, place: HostPlace, seenMs: number | undefined): string {
    const facts = factsOf(kind, stat)

    return this.#window.isRacy(stat, place, seenMs) ? racyFacts(kind, facts, seenMs ?? Date.now()) : facts
  }

  #unchanged (kind: HostEntry['kind'], size: number): undefined {
    this.#init.onUnchanged(kind, size)
  }

  #add (found: HostEntry, facts: string): HostEntry {
    this.#init.record?.storing(found.segments.join('/'), facts)

    return found
  }

  /** What the tree has of a directory besides what is in it. */
  #directoryFacts (stat: HostStat | undefined): string {
    return stat === undefined ? 'd' : `d${JSON.stringify(this.#init.attributes(stat))}`
  }

  /** Takes the content of a file from a tree that was recorded, where that and all its blocks are there still. */
  async #reuse (found: HostEntry, stat: HostStat, facts: string): Promise<HostEntry | Addition> {
    const { to, attributes } = this.#init
    const path = found.segments.join('/')
    const size = Number(stat.size)

    for (const known of this.#places.of(found.segments).known) {
      const content = await this.#content(known, found.segments, facts, size)

      if (content !== undefined) {
        this.#init.record?.storing(path, facts)
        this.#init.onReused()

        return { path: below(to, path), stored: { content, size }, ...attributes(stat) }
      }
    }

    return found
  }

  /** Says as what a file was read, or a directory found, that is about to be stored: of the very look that the tree has it from. */
  read ({ kind, below: path, directory }: HostEntry, stat: HostStat): void {
    const { record } = this.#init

    if (record === undefined) {
      return
    }

    if (kind === 'directory') {
      record.storing(path, this.#directoryFacts(stat))
      return
    }

    const seen = this.#seen.get(path)
    this.#seen.delete(path)
    record.storing(path, this.#factsOf('file', stat, directory.place, seen?.facts === factsOf('file', stat) ? seen.ms : undefined))
  }

  /** Says that something is in the tree. */
  done (treePath: string): void {
    this.#init.record?.stored(this.#pathIn(treePath))
  }

  /** Says that something is gone from it. */
  removed (treePath: string): void {
    this.#init.record?.removed(this.#pathIn(treePath))
  }

  /** A path of the tree, from the directory that is imported into. */
  #pathIn (treePath: string): string {
    const { to } = this.#init

    return treePath.slice(to === '/' ? 1 : to.length + 1)
  }

  /** Records trees in between, where there is a record to write. */
  get checkpoints (): Checkpoints | undefined {
    const { record, isRecording } = this.#init

    return record === undefined || !isRecording
      ? undefined
      : {
          isDue: () => record.unrecorded >= checkpointEntries || (record.unrecorded > 0 && performance.now() >= this.#checkpointAt),
          reached: async (root, isLast) => this.#record(record, root, isLast)
        }
  }

  async #record (record: ImportRecord, root: CID, isLast: boolean): Promise<void> {
    const { target, adapterApi, to, isMirror, isIncomplete, options } = this.#init
    // the target itself may have files open for writing meanwhile, which are in no tree yet
    const cid = to === '/' ? root : (await target.at(root).stat(to, options)).cid

    if (cid === undefined) {
      return
    }

    const isExact = this.#isExact || (isLast && isMirror && !isIncomplete())
    const reached = { tree: cid, isExact, isLast }

    if (record.isNews(reached)) {
      // a record of blocks that nobody has is worth nothing; at the end of a small import the commit is about to sync
      if (!isLast || record.unrecorded > smallImport) {
        await adapterApi.sync(options)
      }

      await record.record(reached, options)
    }

    this.#checkpointAt = performance.now() + this.#init.recordEveryMs
  }

  /** What a section has of a file that is as it was recorded there. */
  async #content ({ recorded, before, section }: Known, segments: readonly string[], facts: string, size: number): Promise<StoredAddition['stored']['content'] | undefined> {
    const { adapterApi, options } = this.#init
    const name = segments[segments.length - 1]
    const info = before.get(name)

    if (recorded.names.get(name) !== facts || info?.kind !== 'file' || info.size !== size) {
      return
    }

    if (info.cid === undefined) {
      return section.partialTree.read(`/${segments.join('/')}`, options)
    }

    return await adapterApi.adopt(info.cid, options) ? info.cid : undefined
  }
}
