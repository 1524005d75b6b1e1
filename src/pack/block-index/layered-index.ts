import { pace } from '../../pace.ts'
import { BlockIndex, gone } from './block-index.ts'
import type { IndexedBlock } from './block-index.ts'
import type { LocationTable } from './location-table.ts'
import type { AbortOptions } from '../../options.ts'
import type { Location } from '../format/locations.ts'

/** What an overlay stands on */
export interface OverlaidIndex extends Pick<BlockIndex, 'path' | 'isDamaged' | 'isUnreadable' | 'acknowledged' | 'find' | 'coverage' | 'blocksOf' | 'apply' | 'close'> {
  blockCounts(options: AbortOptions): Map<number, number> | Promise<Map<number, number>>
}

/**
 * A writer's index, which is only read here, and over it one of one's own in a temporary file, which takes what the writer's
 * does not know: of a writer that was killed, or of an index that was put back, that may be more than memory is to hold.
 */
export class LayeredIndex implements OverlaidIndex {
  readonly #shared: BlockIndex
  readonly #store: Uint8Array
  /** Made with the first changes: most readers hold the few that there are in memory */
  #own: BlockIndex | undefined

  constructor (shared: BlockIndex, store: Uint8Array) {
    this.#shared = shared
    this.#store = store
  }

  get path (): string {
    return this.#shared.path
  }

  get isDamaged (): boolean {
    return this.#shared.isDamaged
  }

  get isUnreadable (): boolean {
    return this.#shared.isUnreadable
  }

  get acknowledged (): number {
    return this.#shared.acknowledged
  }

  find (key: Uint8Array): Location | undefined {
    const location = this.#own?.find(key)

    if (location === undefined) {
      return this.#shared.find(key)
    }

    return location.segment === gone ? undefined : location
  }

  /** How far the writer's knows the segments: with what was read besides, whoever read it knows that. */
  coverage (): ReturnType<BlockIndex['coverage']> {
    return this.#shared.coverage()
  }

  * blocksOf (segment: number): Generator<IndexedBlock> {
    for (const block of this.#shared.blocksOf(segment)) {
      if (this.#own?.find(block.key) === undefined) {
        yield block
      }
    }

    yield * this.#own?.blocksOf(segment) ?? []
  }

  async blockCounts (options: AbortOptions): Promise<Map<number, number>> {
    const counts = this.#shared.blockCounts()
    const add = (segment: number | undefined, by: number): void => {
      if (segment !== undefined && segment !== gone) {
        counts.set(segment, (counts.get(segment) ?? 0) + by)
      }
    }

    for (const { key, location } of this.#own?.blocks() ?? []) {
      await pace(options)
      add(this.#shared.find(key)?.segment, -1)
      add(location.segment, 1)
    }

    return counts
  }

  async apply (changes: LocationTable, _: unknown, options: AbortOptions = {}): Promise<void> {
    this.#own ??= BlockIndex.temporary(this.#store, { keepsGone: true })
    await this.#own.apply(changes, { coverage: new Map() }, options)
  }

  close (): void {
    this.#own?.close()
    this.#shared.close()
  }
}
