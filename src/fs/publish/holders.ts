import type { BlockTarget } from '../../blockstore/index.ts'
import type { Reach } from '../gc/reachable.ts'

/** Something that is open over a blockstore and reads, or will publish, what it names. */
export interface Holder {
  /** Trees, snapshots and blocks that must stay, with what is below them */
  held(): Iterable<Reach>
}

const holders = new WeakMap<BlockTarget, Set<WeakRef<Holder>>>()

const released = new FinalizationRegistry<() => void>(remove => { remove() })

/**
 * Makes garbage collection of a store spare what a holder holds, for as long as the holder lives.
 */
export function hold (store: BlockTarget, holder: Holder): void {
  const all = holders.get(store) ?? new Set()
  const reference = new WeakRef(holder)
  holders.set(store, all)
  all.add(reference)
  released.register(holder, () => { all.delete(reference) })
}

/**
 * What everybody holds who has this store open in this process.
 */
export function * heldIn (store: BlockTarget): Generator<Reach> {
  for (const reference of holders.get(store) ?? []) {
    yield * reference.deref()?.held() ?? []
  }
}
