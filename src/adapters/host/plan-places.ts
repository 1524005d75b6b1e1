import { FileSystemError } from '../../errors.ts'
import { joinPath } from '../../path.ts'
import { kindOfFacts } from './facts.ts'
import type { Recorded } from './import-record.ts'
import type { RecordedDirectory } from './recorded-directory.ts'
import type { DagFs, EntryInfo, PartialTree } from '../../fs/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { CID } from 'multiformats/cid'

/** A section of the record, and what is left of its tree. */
export interface RecordSection extends Recorded {
  readonly partialTree: PartialTree
}

/** What a section has of a directory. */
export interface Known {
  readonly section: RecordSection
  readonly recorded: RecordedDirectory
  /** What its tree has there, where the tree that is imported into has something else and it is known still */
  readonly before: Entries
}

/** A directory of the host, and what the tree has in its place. */
export interface PlannedDirectory {
  readonly known: readonly Known[]
  /** That of them which the tree has there, if any */
  readonly standing: Known | undefined
  /** What the tree has there, as far as anybody will ask */
  readonly now: Entries
}

const absences: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP']

type Entries = ReadonlyMap<string, EntryInfo>

const nothing: Entries = new Map()
const nowhere: PlannedDirectory = { known: [], standing: undefined, now: nothing }

export interface PlanPlacesInit {
  readonly target: DagFs
  /** The directory of the tree that is imported into */
  readonly to: string
  readonly isMirror: boolean
  readonly options: AbortOptions
}

/**
 * Follows a walk through directories, and knows for each on the way how what the tree has there stands to what is recorded.
 */
export class PlanPlaces {
  readonly #init: PlanPlacesInit
  readonly #sections: readonly RecordSection[]
  readonly #places: PlannedDirectory[] = []

  /**
   * @param init - what is imported into
   * @param sections - what is recorded, the last first
   */
  constructor (init: PlanPlacesInit, sections: readonly RecordSection[] = []) {
    this.#init = init
    this.#sections = sections
  }

  /** Begins with the directory that is imported into. */
  async begin (): Promise<PlannedDirectory> {
    const { target, to, options } = this.#init
    const now = await ifThere(target.lstat(to, options))
    const found = this.#sections.map(section => ({ section, recorded: section.directory, cid: section.tree }))
    // an import goes on in the last section alone
    const standing = found.slice(0, 1).find(({ cid }) => now?.cid?.equals(cid))
    this.#places[0] = await this.#place({ path: '', found, standing, isThere: now !== undefined })

    return this.#places[0]
  }

  /** The directory that something found is in. */
  of (segments: readonly string[]): PlannedDirectory {
    return this.#places[segments.length - 1] ?? nowhere
  }

  /** Goes on in a directory. */
  async enter (segments: readonly string[]): Promise<PlannedDirectory> {
    const name = segments.at(-1)

    if (name !== undefined) {
      this.#places[segments.length] = await this.#below(this.of(segments), segments.join('/'), name)
    }

    return this.#places[segments.length] ?? nowhere
  }

  async #below (parent: PlannedDirectory, path: string, name: string): Promise<PlannedDirectory> {
    const now = parent.now.get(name)
    const found: FoundSection[] = []
    let standing: FoundSection | undefined

    for (const known of parent.known) {
      const recorded = known.recorded.names.get(name)

      if (typeof recorded !== 'object') {
        continue
      }

      const entry = known.before.get(name)
      const cid = entry?.kind === 'directory' ? entry.cid : undefined
      const isStanding = parent.standing === undefined ? cid !== undefined && now?.cid?.equals(cid) === true : known === parent.standing
      const place = { section: known.section, recorded, cid }
      found.push(place)

      if (isStanding) {
        standing ??= place
      }
    }

    const isThere = parent.standing === undefined ? now?.kind === 'directory' : standing !== undefined || !parent.standing.section.isExact

    return this.#place({ path, found, standing, isThere })
  }

  async #place ({ path, found, standing: standingFound, isThere }: FoundPlace): Promise<PlannedDirectory> {
    const { to, isMirror, options } = this.#init
    // the record alone tells what is there
    const isKnown = standingFound !== undefined && (standingFound.section.isExact || !isMirror)
    const known: Known[] = []
    let standing: Known | undefined

    for (const place of found) {
      const { section, recorded, cid } = place
      const isStanding = place === standingFound
      const before = cid === undefined || isStanding ? nothing : byName(await section.partialTree.list(`/${path}`, options))
      known.push({ section, recorded, before })

      if (isStanding) {
        standing = known.at(-1)
      }
    }

    return { known, standing, now: isThere && !isKnown ? byName(await this.#list(below(to, path))) : nothing }
  }

  async #list (path: string): Promise<EntryInfo[] | undefined> {
    const { target, options } = this.#init
    const found = await ifThere(target.lstat(path, options))

    // a link to a directory is none
    return found?.isDirectory() === true ? all(target.ls(path, options)) : undefined
  }

  /** The names in the tree's directory and what they stand for. */
  * kinds ({ standing, now }: PlannedDirectory): Generator<[name: string, kind: EntryInfo['kind']]> {
    if (standing?.section.isExact === true) {
      for (const [name, facts] of standing.recorded.names) {
        yield [name, kindOfFacts(facts)]
      }

      return
    }

    for (const [name, { kind }] of now) {
      yield [name, kind]
    }
  }
}

/** What a section has of a directory, and the directory of its tree, where that is known still. */
interface FoundSection {
  readonly section: RecordSection
  readonly recorded: RecordedDirectory
  readonly cid: CID | undefined
}

/** What is known of a directory before what the trees have there is listed. */
interface FoundPlace {
  /** In the directory that is imported into */
  readonly path: string
  readonly found: readonly FoundSection[]
  /** That of them which the tree has there, if any */
  readonly standing: FoundSection | undefined
  /** The tree has something there, as far as is known */
  readonly isThere: boolean
}

/** The path of something in the directory that is imported into. */
export function below (to: string, path: string): string {
  return path === '' ? to : joinPath(to, path)
}

function byName (entries: readonly EntryInfo[] | undefined): Entries {
  return new Map(entries?.map(info => [info.name, info]))
}

async function ifThere <T> (found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (err) {
    if (err instanceof FileSystemError && absences.includes(err.code)) {
      return
    }

    throw err
  }
}

async function all <T> (items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []

  for await (const item of items) {
    list.push(item)
  }

  return list
}
