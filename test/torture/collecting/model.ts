import { names } from './published.ts'
import type { Name } from './published.ts'
import type { TreeBlock } from './trees.ts'

/** Whether a block is in the store; `unknown` where a deletion met a put, or where it was garbage when some was collected */
export type State = 'there' | 'gone' | 'unknown'

/** What is known of a block: as long as its version stays, so does its state. */
interface Fate {
  state: State
  version: number
  /** Puts and deletions that are under way, and deletions that were ever begun */
  puts: number
  deletes: number
  deletesBegun: number
  /** When the last of the puts that were answered began */
  putAt: number
}

/** What a name was set to */
export interface Published {
  readonly value: Uint8Array
  readonly root: number
}

/** A tree that is being stored, to be published then */
export interface Draft {
  readonly root: number
  /** Its blocks that were put, each after all that it links to */
  readonly stored: Set<number>
}

/** What must be in a store of which many things are asked at once, told of each when it is begun and when it is answered. */
export class Model {
  readonly published = new Map<Name, Published>()
  /** What the names may be set to, though nobody said so yet */
  readonly attempts = new Map<Name, Set<Uint8Array | undefined>>(names.map(name => [name, new Set()]))
  readonly #pool: readonly TreeBlock[]
  readonly #fates: readonly Fate[]
  readonly #drafts = new Set<Draft>()
  /** What collections under way began with */
  readonly #marked = new Set<readonly number[]>()
  #numbers = 0
  #now = 0
  #publishing = 0
  #publishedAt = 0

  constructor (pool: readonly TreeBlock[]) {
    this.#pool = pool
    this.#fates = pool.map(() => ({ state: 'gone', version: 0, puts: 0, deletes: 0, deletesBegun: 0, putAt: 0 }))
  }

  /** A number that no other value has */
  newNumber (): number {
    return ++this.#numbers
  }

  /** Begins a put; what is answered says that it was answered. */
  beginPut (number: number): () => void {
    const fate = this.#fates[number]
    const { deletes, deletesBegun } = fate
    const begunAt = ++this.#now
    fate.puts++
    fate.version++
    // it may be there before that is answered
    fate.state = fate.state === 'gone' ? 'unknown' : fate.state

    return () => {
      fate.puts--
      fate.version++
      fate.state = deletes === 0 && fate.deletesBegun === deletesBegun ? 'there' : 'unknown'
      fate.putAt = Math.max(fate.putAt, begunAt)
    }
  }

  /** Begins a deletion, likewise. */
  beginDelete (number: number): () => void {
    const fate = this.#fates[number]
    fate.deletes++
    fate.deletesBegun++
    const version = ++fate.version
    fate.state = 'unknown'

    return () => {
      fate.deletes--
      fate.state = fate.version === version && fate.puts === 0 ? 'gone' : 'unknown'
      fate.version++
    }
  }

  /** Whether a block may be deleted: no name needs it, nor what is to be published, nor a collection, which reads what it keeps. */
  isFree (number: number): boolean {
    const roots = [...[...this.published.values(), ...this.#drafts].map(({ root }) => root), ...[...this.#marked].flat()]

    return !this.reachOf(roots).has(number)
  }

  /** Begins to store a tree, unless one of its blocks is being deleted. */
  beginDraft (root: number): Draft | undefined {
    if ([...this.#pool[root].reach].some(number => this.#fates[number].deletes > 0)) {
      return
    }

    const draft = { root, stored: new Set<number>() }
    this.#drafts.add(draft)

    return draft
  }

  endDraft (draft: Draft): void {
    this.#drafts.delete(draft)
  }

  /** Begins to set a name, likewise; what is answered is told whether it was set. */
  beginPublish (name: Name, next: Published | undefined): (isSet: boolean) => void {
    const attempts = this.attempts.get(name)
    attempts?.add(next?.value)
    this.#publishing++

    return isSet => {
      this.#publishing--
      this.#publishedAt = ++this.#now
      attempts?.delete(next?.value)

      if (isSet && next !== undefined) {
        this.published.set(name, next)
      } else if (isSet) {
        this.published.delete(name)
      }
    }
  }

  /** Notes that what no name and no draft reaches now may be collected, and answers what a collection is to begin with, until it ends. */
  mark (keepsUncommitted: boolean): readonly number[] {
    const roots = [...[...this.published.values()].map(({ root }) => root), ...[...this.#drafts].flatMap(({ stored }) => [...stored])]
    const reached = this.reachOf(roots)

    for (const [number, fate] of this.#fates.entries()) {
      const isNew = keepsUncommitted && this.#publishing === 0 && this.#publishedAt < fate.putAt

      if (fate.state === 'there' && !reached.has(number) && !isNew) {
        fate.state = 'unknown'
        fate.version++
      }
    }

    this.#marked.add(roots)

    return roots
  }

  endCollection (roots: readonly number[]): void {
    this.#marked.delete(roots)
  }

  /** Notes that the store was closed and opened again: what was put before is in no draft any more. */
  reopen (): void {
    this.#publishedAt = ++this.#now
  }

  reachOf (roots: Iterable<number>): Set<number> {
    return new Set([...roots].flatMap(root => [...this.#pool[root].reach]))
  }

  /** Watches a block: what is answered says what it was, if it was the same all the while. */
  watch (number: number): () => State {
    const { state, version } = this.#fates[number]

    return () => this.#fates[number].version === version ? state : 'unknown'
  }
}
