import { contentKey, differingAttributes } from './content.ts'
import { diffTrees } from './diff.ts'
import type { EntryField } from './content.ts'
import type { TreeChange, TreeDiffOptions } from './diff.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { Attributes, Entry } from '../codec/index.ts'
import type { CID } from 'multiformats/cid'

/** An entry that is found under another path, with the same content. It stands for everything below a directory. */
export interface TreeRename {
  readonly kind: 'renamed'
  /** The path after */
  readonly path: string
  /** The path before */
  readonly from: string
  readonly before: Entry
  readonly after: Entry
  /** Which of its attributes differ */
  readonly fields: readonly EntryField[]
}

// pairing what vanished with what appeared needs all of it in memory
const maxHeldBytes = 64 * 2 ** 20
const candidateBytes = 300

interface RenameOptions extends TreeDiffOptions {
  /** Bytes of memory that finding renames may take. Default: 67,108,864 */
  readonly renameBytes?: number
}

/**
 * Compares two trees as `diffTrees` does, and takes an entry that vanished and one of the same content that appeared for
 * one that was renamed; it stands at the path after. Larger directories are paired before what is in them and entries of
 * one name before others, in the order of paths, so the same trees give the same renames.
 *
 * The trees are compared two or three times. Where so much appears and vanishes that it cannot be held, some 200,000
 * entries, what is below directories is not paired, and in the end nothing is.
 */
export async function * diffTreesWithRenames (blocks: BlockReader, before: CID | undefined, after: CID | undefined, options: RenameOptions = {}): AsyncGenerator<TreeChange | TreeRename> {
  const renames = new Renames(options.renameBytes ?? maxHeldBytes)
  const isEntered = (path: string): boolean => !renames.has(path) && options.isEntered?.(path) !== false

  // a directory that was renamed as a whole need not be looked into, so these are found first
  await renames.find(diffTrees(blocks, before, after, { ...options, isEntered: () => false }))
  await renames.find(diffTrees(blocks, before, after, { ...options, isEntered }))

  for await (const change of diffTrees(blocks, before, after, { ...options, isEntered })) {
    const told = renames.tell(change)

    if (told !== undefined) {
      yield told
    }
  }
}

/** An entry that vanished or appeared. */
interface Candidate {
  readonly path: string
  readonly name: string
  /** Equal where kind and content are */
  readonly key: string
  readonly attributes: Attributes | undefined
}

class Renames {
  readonly #maxBytes: number
  /** What vanished, by the path at which it appeared */
  readonly #sources = new Map<string, Candidate>()
  readonly #vanished = new Set<string>()

  constructor (maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether a path is one end of a rename. */
  has (path: string): boolean {
    return this.#sources.has(path) || this.#vanished.has(path)
  }

  /** Pairs what vanishes and appears among changes, in the order of their paths; nothing where that is too much. */
  async find (changes: AsyncIterable<TreeChange>): Promise<void> {
    const removed = new Candidates()
    const added = new Candidates()
    let bytes = 0

    for await (const change of changes) {
      if (change.kind === 'changed' || this.has(change.path)) {
        continue
      }

      bytes += candidateBytes + 2 * change.path.length

      if (bytes > this.#maxBytes) {
        return
      }

      await (change.kind === 'added' ? added.add(change.path, change.after) : removed.add(change.path, change.before))
    }

    for (const key of removed.keysBySpan()) {
      this.#pair(removed, removed.take(key), added, added.take(key))
    }
  }

  #pair (removed: Candidates, sources: readonly number[], added: Candidates, targets: readonly number[]): void {
    const named = Map.groupBy(targets, target => added.list[target].name)
    const taken = new Set<number>()
    const pairUp = (source: number, target: number | undefined): boolean => {
      if (target === undefined) {
        return false
      }

      taken.add(target)
      removed.cover(source)
      added.cover(target)
      this.#vanished.add(removed.list[source].path)
      this.#sources.set(added.list[target].path, removed.list[source])

      return true
    }

    const left = sources.filter(source => !pairUp(source, named.get(removed.list[source].name)?.shift()))
    const free = targets.filter(target => !taken.has(target))
    left.forEach((source, i) => pairUp(source, free.at(i)))
  }

  /** What is to be said of a change; undefined where a rename says it. */
  tell (change: TreeChange): TreeChange | TreeRename | undefined {
    const source = this.#sources.get(change.path)

    if (change.kind !== 'added' || source === undefined) {
      return change.kind === 'removed' && this.#vanished.has(change.path) ? undefined : change
    }

    const { path, after } = change
    const before = { ...after, name: source.name, attributes: source.attributes }

    return { kind: 'renamed', path, from: source.path, before, after, fields: differingAttributes(before.attributes, after.attributes) }
  }
}

/** What vanished or what appeared, in the order of paths. */
class Candidates {
  readonly list: Candidate[] = []
  readonly #byKey = new Map<string, number[]>()
  /** How many candidates each stands for: itself, and all below */
  readonly #spans: number[] = []
  /** The candidates on the way to the last one */
  readonly #way: number[] = []
  readonly #covered = new Set<number>()

  async add (path: string, entry: Entry): Promise<void> {
    const key = await contentKey(entry)
    const index = this.list.push({ path, name: entry.name, key, attributes: entry.attributes }) - 1
    const withSameKey = this.#byKey.get(key) ?? []
    this.#byKey.set(key, withSameKey)
    withSameKey.push(index)

    while (this.#way.length > 0 && !path.startsWith(`${this.list[this.#way[this.#way.length - 1]].path}/`)) {
      this.#way.pop()
    }

    this.#way.push(index)
    this.#spans.push(0)
    this.#way.forEach(above => { this.#spans[above]++ })
  }

  /** The keys of all candidates, those of larger directories first. */
  keysBySpan (): string[] {
    // equal content is equal below as well, and the sort is stable
    return [...this.#byKey].sort(([, [a]], [, [b]]) => this.#spans[b] - this.#spans[a]).map(([key]) => key)
  }

  /** The candidates with a key that no rename of a directory stands for. */
  take (key: string): number[] {
    return (this.#byKey.get(key) ?? []).filter(index => !this.#covered.has(index))
  }

  cover (index: number): void {
    for (let i = index; i < index + this.#spans[index]; i++) {
      this.#covered.add(i)
    }
  }
}
