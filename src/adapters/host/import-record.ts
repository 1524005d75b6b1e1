import { CID } from 'multiformats/cid'
import { pace } from '../../pace.ts'
import { RecordFile } from './record-file.ts'
import { allNames, changeName, countNames, emptyDirectory, forgetNames, recordedDirectoryAt } from './recorded-directory.ts'
import type { RecordedChange, RecordedDirectory } from './recorded-directory.ts'
import type { TimeSample } from './sample-time.ts'
import type { AbortOptions } from '../../options.ts'

/** What an import stored, and what the host said of it then: every name is in the tree, with the content that it stood for. */
export interface Recorded {
  /** The directory that was imported into, as it was then */
  readonly tree: CID
  readonly directory: RecordedDirectory
  /** Whether the directory has no other names */
  readonly isExact: boolean
}

/** What an import has come to. */
export interface Reached extends Omit<Recorded, 'directory'> {
  /** Whether it is complete: nothing from before it is worth knowing then */
  readonly isLast: boolean
}

/** A line of the file. Those without a tree belong to the next that has one. */
interface Line {
  readonly tree?: string
  readonly isExact?: boolean
  /** Whether a section begins with them, to which nothing belongs that was recorded before */
  readonly begins?: boolean
  /** For each directory, by its path, names and their facts in turn; null where there is nothing any more */
  readonly changes: ReadonlyArray<readonly [directory: string, names: ReadonlyArray<string | null>]>
}

// so that reading a line does not hold up the event loop
const changesInLine = 4_000
// imports in a row that were interrupted, each knowing files that no later one does: lists of directories are looked at for each
const maxEarlier = 32

/**
 * Remembers what an import stored, and by which facts of the host it can be known again: kind, size, mtime, ctime and
 * inode. It is a cache: whatever becomes of its file, an import gives the same tree.
 *
 * An import adds to what was recorded last, where that is what the tree has. Elsewhere it begins a section of its own, of
 * another tree, and those before are kept until it is complete: what was stored before an interruption is known after any
 * number of them.
 */
export class ImportRecord {
  readonly #file: RecordFile
  /** The sections of the file, the last first; none where there was none when it was read */
  #sections: readonly Recorded[] = []
  #last: Omit<Recorded, 'directory'> | undefined
  /** Whether what is recorded next begins a section */
  #begins = true
  /** Facts of what is being stored */
  readonly #pending = new Map<string, string>()
  #changes: RecordedChange[] = []
  /** Names in the file, those that were recorded again included */
  #namesWritten = 0

  /** The record at a path, of what `subject` describes: a directory, and what else decides how content is stored. */
  constructor (path: string, subject: object) {
    this.#file = new RecordFile(path, subject)
  }

  /** What time it is where it is kept; undefined where that cannot be found out. It has to be read before. */
  sampleTime (): TimeSample | undefined {
    return this.#file.sampleTime()
  }

  /** Reads what is recorded, as far as it can be: the last first, and of each file what was recorded of it last. */
  async read (options: AbortOptions): Promise<readonly Recorded[]> {
    const sections: Recorded[] = []
    let { end } = this.#file
    let parts: Line[] = []

    for await (const value of this.#file.read(options)) {
      const line = value as Line
      parts.push(line)

      if (line.tree !== undefined) {
        const directory = (line.begins === true ? undefined : sections.pop()?.directory) ?? emptyDirectory()
        sections.push({ tree: CID.parse(line.tree), directory, isExact: line.isExact === true })
        await this.#apply(directory, parts, options)
        parts = []
        end = this.#file.end
      }
    }

    // a process may have ended between two lines, and nobody knows the tree of the first
    this.#file.end = end
    this.#sections = await withoutRepeated(sections.reverse(), options)
    this.#last = this.#sections.at(0)
    this.#begins = this.#last === undefined

    return this.#sections
  }

  /**
   * Says that the tree is another one than was recorded last. What was recorded still tells where content is; of the new tree
   * only that is recorded which is stored in it, or vouched for.
   */
  begin (): void {
    this.#begins = true
  }

  /** Says that the tree has below a directory what is recorded of it. */
  async carryForward (segments: readonly string[], recorded: RecordedDirectory, options: AbortOptions): Promise<void> {
    for (const found of allNames(recorded, `${segments.join('/')}/`)) {
      const turning = pace(options)

      // promises for each of many names take longer than the names
      if (turning !== undefined) {
        await turning
      }

      this.#changes.push(found)
    }
  }

  /** Says what is about to be stored at a path. */
  storing (path: string, facts: string): void {
    this.#pending.set(path, facts)
  }

  /** Says that it is in the tree. */
  stored (path: string): void {
    const facts = this.#pending.get(path)

    if (facts !== undefined) {
      this.#pending.delete(path)
      this.#changes.push({ path, facts })
    }
  }

  /** Says that it is gone from the tree. */
  removed (path: string): void {
    this.#changes.push({ path, facts: null })
  }

  /** How many are in the tree that are not yet recorded */
  get unrecorded (): number {
    return this.#changes.length
  }

  /** Whether there is anything to record. */
  isNews ({ tree, isExact, isLast }: Reached): boolean {
    return this.#changes.length > 0 || this.#last?.tree.equals(tree) !== true || this.#last.isExact !== isExact || (isLast && this.#sections.length > 1)
  }

  /** Records the tree that all are in. */
  async record ({ tree, isExact, isLast }: Reached, options: AbortOptions): Promise<void> {
    const [changes, begins, sections] = [this.#changes, this.#begins, this.#sections]
    const lines = (): Iterable<Line> => toLines(changes, { tree: tree.toString(), isExact, begins })
    this.#changes = []
    this.#begins = false
    this.#last = { tree, isExact }

    if (begins && isLast) {
      return this.#file.replace(lines(), options)
    }

    // a first import has no use for what it wrote
    if (sections.length === 0) {
      return this.#file.add(lines(), options)
    }

    const directory = begins ? emptyDirectory() : sections[0].directory
    const earlier = begins ? sections : sections.slice(1)
    this.#sections = [{ tree, isExact, directory }, ...isLast ? [] : earlier]
    await this.#apply(directory, lines(), options)

    if ((isLast && earlier.length > 0) || ((isLast || begins) && await this.#isMostlyOutdated(options))) {
      await this.#writeAnew(options)
    } else {
      await this.#file.add(lines(), options)
    }
  }

  async #apply (directory: RecordedDirectory, lines: Iterable<Line>, options: AbortOptions): Promise<void> {
    for (const line of lines) {
      await pace(options)
      this.#namesWritten += apply(directory, line)
    }
  }

  async #isMostlyOutdated (options: AbortOptions): Promise<boolean> {
    return this.#namesWritten > 2 * await this.#count(options) + changesInLine
  }

  async #writeAnew (options: AbortOptions): Promise<void> {
    await this.#file.replace(sectionLines(this.#sections), options)
    this.#namesWritten = await this.#count(options)
  }

  async #count (options: AbortOptions): Promise<number> {
    let count = 0

    for (const { directory } of this.#sections) {
      count += await countNames(directory, options)
    }

    return count
  }
}

/** What sections say, the last first, each without what those before it in this order say as well. */
async function withoutRepeated ([last, ...others]: readonly Recorded[], options: AbortOptions): Promise<readonly Recorded[]> {
  if (others.length === 0) {
    return last === undefined ? [] : [last]
  }

  const later = [last.directory]
  const earlier: Array<{ section: Recorded, size: number }> = []

  for (const { tree, directory } of others) {
    for (const known of later) {
      await forgetNames(directory, known, options)
    }

    if (directory.names.size > 0) {
      later.push(directory)
      earlier.push({ section: { tree, directory, isExact: false }, size: await countNames(directory, options) })
    }
  }

  // no two of them have facts of the same file, so that their order is of no matter
  return [last, ...earlier.toSorted((a, b) => b.size - a.size).slice(0, maxEarlier).map(({ section }) => section)]
}

/** The lines of a file that has these sections, of which the last comes first. */
function * sectionLines (sections: readonly Recorded[]): Generator<Line> {
  for (const { tree, directory, isExact } of sections.toReversed()) {
    yield * toLines(allNames(directory, ''), { tree: tree.toString(), isExact, begins: true })
  }
}

/** Makes the changes of a line, and returns how many there were. */
function apply (root: RecordedDirectory, { changes }: Line): number {
  let count = 0

  for (const [path, names] of changes) {
    const directory = recordedDirectoryAt(root, path)
    count += names.length / 2

    for (let i = 0; i < names.length; i += 2) {
      changeName(directory, String(names[i]), names[i + 1])
    }
  }

  return count
}

/** The last line, even where there are no changes, is the one that has the tree. */
function * toLines (changes: Iterable<RecordedChange>, last: Omit<Line, 'changes'>): Generator<Line> {
  let part: RecordedChange[] = []

  for (const change of changes) {
    if (part.length === changesInLine) {
      yield { changes: byDirectory(part) }
      part = []
    }

    part.push(change)
  }

  yield { ...last, changes: byDirectory(part) }
}

/** Puts names of one directory together that follow each other; nothing changes its place. */
function byDirectory (changes: readonly RecordedChange[]): Line['changes'] {
  const groups: Array<[string, Array<string | null>]> = []

  for (const { path, facts } of changes) {
    const slash = path.lastIndexOf('/')
    const directory = slash === -1 ? '' : path.slice(0, slash)

    if (groups.at(-1)?.[0] !== directory) {
      groups.push([directory, []])
    }

    groups.at(-1)?.[1].push(path.slice(slash + 1), facts)
  }

  return groups
}
