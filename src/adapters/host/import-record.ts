import { CID } from 'multiformats/cid'
import { pace } from '../../pace.ts'
import { RecordFile } from './record-file.ts'
import type { HostStat } from './read-host-file.ts'
import type { AbortOptions } from '../../options.ts'

/** What is recorded of a directory: facts of itself, and of what is in it. */
export interface RecordedDirectory {
  facts: string
  readonly names: Map<string, string | RecordedDirectory>
}

/** What an import stored, and what the host said of it then: every name is in the tree, with the content that it stood for. */
export interface Recorded {
  /** The directory that was imported into, as it was then */
  readonly tree: CID
  readonly directory: RecordedDirectory
  /** Whether the directory has no other names */
  readonly isExact: boolean
}

/** A line of the file. Those without a tree belong to the next that has one. */
interface Line {
  readonly tree?: string
  readonly isExact?: boolean
  /** For each directory, by its path, names and their facts in turn; null where there is nothing any more */
  readonly changes: ReadonlyArray<readonly [directory: string, names: ReadonlyArray<string | null>]>
}

interface Change {
  readonly path: string
  readonly facts: string | null
}

// so that reading a line does not hold up the event loop
const changesInLine = 4_000
// timestamps of some filesystems have two seconds, and their clocks may be behind ours
const recentNs = 2_000_000_000n
// no clock is so far ahead of ours
const farNs = 86_400_000_000_000n

/**
 * Remembers what an import stored, and by which facts of the host it can be known again: kind, size, mtime, ctime and
 * inode. It is a cache: whatever becomes of its file, an import gives the same tree.
 */
export class ImportRecord {
  readonly #file: RecordFile
  #recorded: Recorded | undefined
  /** Whether the file becomes a new one, since nothing was read, or what was is of another tree */
  #isAnew = true
  /** Whether lines without a tree stand at its end, of a process that ended between two of them */
  #isTorn = false
  /** Facts of what is being stored */
  readonly #pending = new Map<string, string>()
  #changes: Change[] = []
  /** Names in the file, those that were recorded again included */
  #namesWritten = 0
  #isWritten = false

  /** The record at a path, of what `subject` describes: a directory, and what else decides how content is stored. */
  constructor (path: string, subject: object) {
    this.#file = new RecordFile(path, subject)
  }

  /** Reads what is recorded, as far as it can be. */
  async read (options: AbortOptions): Promise<Recorded | undefined> {
    const directory = emptyDirectory()
    let parts: Line[] = []

    for await (const value of this.#file.read(options)) {
      const line = value as Line
      parts.push(line)

      if (line.tree !== undefined) {
        this.#recorded = { tree: CID.parse(line.tree), directory, isExact: line.isExact === true }
        await this.#apply(directory, parts, options)
        parts = []
      }
    }

    this.#isAnew = this.#recorded === undefined
    this.#isTorn = parts.length > 0

    return this.#recorded
  }

  /**
   * Says that the tree is another one than was recorded. What was recorded still tells where content is; of the new tree only
   * that is recorded which is stored in it, or vouched for.
   */
  begin (): void {
    this.#isAnew = true
  }

  /** Says that the tree has below a directory what is recorded of it. */
  async vouch (segments: readonly string[], recorded: RecordedDirectory, options: AbortOptions): Promise<void> {
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
  isNews (tree: CID, isExact: boolean): boolean {
    return this.#changes.length > 0 || this.#recorded?.tree.equals(tree) !== true || this.#recorded.isExact !== isExact
  }

  /** Records the tree that all are in. */
  async record (tree: CID, isExact: boolean, options: AbortOptions): Promise<void> {
    const changes = this.#changes
    const last = { tree: tree.toString(), isExact }
    this.#changes = []
    this.#recorded = { tree, isExact, directory: this.#recorded?.directory ?? emptyDirectory() }

    if (this.#isAnew) {
      await this.#write(toLines(changes, last), options)
    } else {
      await this.#apply(this.#recorded.directory, toLines(changes, last), options)
      await this.#goOn(this.#recorded, toLines(changes, last), options)
    }

    this.#isWritten = true
  }

  async #apply (directory: RecordedDirectory, lines: Iterable<Line>, options: AbortOptions): Promise<void> {
    for (const line of lines) {
      await pace(options)
      this.#namesWritten += apply(directory, line)
    }
  }

  async #write (lines: Iterable<Line>, options: AbortOptions): Promise<void> {
    if (this.#isWritten) {
      await this.#file.add(lines, options)
    } else {
      await this.#file.replace(lines, options)
    }
  }

  async #goOn (recorded: Recorded, lines: Iterable<Line>, options: AbortOptions): Promise<void> {
    if (this.#isTorn) {
      await this.#replace(recorded, options)
      this.#isTorn = false
    } else {
      await this.#file.add(lines, options)
    }
  }

  /** Writes the file anew where most of it is out of date. */
  async tidy (options: AbortOptions): Promise<void> {
    if (this.#recorded === undefined || this.#isAnew || !this.#isWritten) {
      return
    }

    if (this.#namesWritten > 2 * await count(this.#recorded.directory, options) + changesInLine) {
      await this.#replace(this.#recorded, options)
    }
  }

  async #replace ({ tree, directory, isExact }: Recorded, options: AbortOptions): Promise<void> {
    await this.#file.replace(toLines(allNames(directory, ''), { tree: tree.toString(), isExact }), options)
    this.#namesWritten = await count(directory, options)
  }
}

/**
 * The facts by which a file or link is known again. One that changed shortly before, and could change again without them
 * saying so, is not: it is measured by when the import began.
 */
export function factsOf (kind: 'file' | 'symlink', { size, mtimeNs, ctimeNs, ino }: Omit<HostStat, 'mode'>, beganNs: bigint): string {
  const letter = kind === 'file' ? 'f' : 'l'
  const recent = beganNs - recentNs
  // a change would not leave a time far in the future as it is
  const isRecent = ctimeNs >= recent || (mtimeNs >= recent && mtimeNs < beganNs + farNs)

  return isRecent ? letter : `${letter}${size} ${mtimeNs} ${ctimeNs} ${ino}`
}

/** Whether facts are enough to know something again by. */
export function areTelling (facts: string): boolean {
  return facts.length > 1
}

/** The kind of what has these facts. */
export function kindOfFacts (facts: string | RecordedDirectory): 'file' | 'directory' | 'symlink' {
  if (typeof facts !== 'string') {
    return 'directory'
  }

  return facts.startsWith('f') ? 'file' : 'symlink'
}

function emptyDirectory (): RecordedDirectory {
  return { facts: 'd', names: new Map() }
}

/** Makes the changes of a line, and answers how many there were. */
function apply (root: RecordedDirectory, { changes }: Line): number {
  let count = 0

  for (const [path, names] of changes) {
    const directory = openDirectory(root, path)
    count += names.length / 2

    for (let i = 0; i < names.length; i += 2) {
      change(directory, String(names[i]), names[i + 1])
    }
  }

  return count
}

function openDirectory (root: RecordedDirectory, path: string): RecordedDirectory {
  let directory = root

  for (const name of path === '' ? [] : path.split('/')) {
    const found = directory.names.get(name)
    const next = typeof found === 'object' ? found : emptyDirectory()
    directory.names.set(name, next)
    directory = next
  }

  return directory
}

function change (directory: RecordedDirectory, name: string, facts: string | null): void {
  const before = directory.names.get(name)

  if (facts === null) {
    directory.names.delete(name)
  } else if (!facts.startsWith('d')) {
    directory.names.set(name, facts)
  } else if (typeof before === 'object') {
    before.facts = facts
  } else {
    directory.names.set(name, { facts, names: new Map() })
  }
}

/** The last line, even where there are no changes, is the one that has the tree. */
function * toLines (changes: Iterable<Change>, last: Omit<Line, 'changes'>): Generator<Line> {
  let part: Change[] = []

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
function byDirectory (changes: readonly Change[]): Line['changes'] {
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

async function count (root: RecordedDirectory, options: AbortOptions): Promise<number> {
  const directories = [root]
  let all = 0

  for (const { names } of directories) {
    await pace(options)
    all += names.size

    for (const found of names.values()) {
      if (typeof found === 'object') {
        directories.push(found)
      }
    }
  }

  return all
}

function * allNames ({ names }: RecordedDirectory, prefix: string): Generator<Change> {
  for (const [name, found] of names) {
    yield { path: prefix + name, facts: typeof found === 'string' ? found : found.facts }
  }

  for (const [name, found] of names) {
    if (typeof found === 'object') {
      yield * allNames(found, `${prefix}${name}/`)
    }
  }
}
