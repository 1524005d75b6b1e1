import { FileSystemError } from '../../errors.ts'
import { joinPath } from '../../path.ts'
import { kindOfFacts } from './import-record.ts'
import type { Recorded, RecordedDirectory } from './import-record.ts'
import type { DagFs, EntryInfo, Remains } from '../../fs/index.ts'
import type { AbortOptions } from '../../options.ts'

/** A directory of the host, and what the tree has in its place. */
export interface Place {
  readonly recorded: RecordedDirectory | undefined
  /** The tree has there what is recorded */
  readonly isStanding: boolean
  /** What the recorded tree has there, where the tree has something else and it is known still */
  readonly before: Entries
  /** What the tree has there, as far as anybody will ask */
  readonly now: Entries
}

/** What is known of a directory before what the trees have there is listed. */
interface FoundPlace extends Pick<Place, 'recorded' | 'isStanding'> {
  /** The recorded tree has a directory there */
  readonly wasThere: boolean
  /** The tree has something there, as far as is known */
  readonly isThere: boolean
}

const absences: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP']

type Entries = ReadonlyMap<string, EntryInfo>

const nothing: Entries = new Map()
const nowhere: Place = { recorded: undefined, isStanding: false, before: nothing, now: nothing }

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
  readonly #recorded: Recorded | undefined
  readonly #remains: Remains | undefined
  readonly #places: Place[] = []

  constructor (init: PlanPlacesInit, recorded?: Recorded, remains?: Remains) {
    this.#init = init
    this.#recorded = recorded
    this.#remains = remains
  }

  /** Begins with the directory that is imported into. */
  async begin (): Promise<Place> {
    const { target, to, options } = this.#init
    const now = await ifThere(target.lstat(to, options))
    const tree = this.#recorded?.tree
    const isStanding = tree !== undefined && now?.cid?.equals(tree) === true
    this.#places[0] = await this.#place('', { recorded: this.#recorded?.directory, isStanding, wasThere: tree !== undefined, isThere: now !== undefined })

    return this.#places[0]
  }

  /** The directory that something found is in. */
  of (segments: readonly string[]): Place {
    return this.#places[segments.length - 1] ?? nowhere
  }

  /** Goes on in a directory. */
  async enter (segments: readonly string[]): Promise<Place> {
    const name = segments.at(-1)

    if (name !== undefined) {
      this.#places[segments.length] = await this.#below(this.of(segments), segments.join('/'), name)
    }

    return this.#places[segments.length] ?? nowhere
  }

  async #below (parent: Place, path: string, name: string): Promise<Place> {
    const found = parent.recorded?.names.get(name)
    const recorded = typeof found === 'object' ? found : undefined

    if (parent.isStanding) {
      const isRecorded = recorded !== undefined

      return this.#place(path, { recorded, isStanding: isRecorded, wasThere: false, isThere: isRecorded || !this.#isExact })
    }

    const [before, now] = [parent.before.get(name), parent.now.get(name)]
    const isStanding = recorded !== undefined && before?.kind === 'directory' && before.cid !== undefined && now?.cid?.equals(before.cid) === true

    return this.#place(path, { recorded, isStanding, wasThere: before?.kind === 'directory', isThere: now?.kind === 'directory' })
  }

  async #place (path: string, { recorded, isStanding, wasThere, isThere }: FoundPlace): Promise<Place> {
    const { to, isMirror, options } = this.#init
    // the record alone tells what is there
    const isKnown = isStanding && (this.#isExact || !isMirror)

    return {
      recorded,
      isStanding,
      before: wasThere && !isStanding && recorded !== undefined ? byName(await this.#remains?.list(`/${path}`, options)) : nothing,
      now: isThere && !isKnown ? byName(await this.#list(below(to, path))) : nothing
    }
  }

  async #list (path: string): Promise<EntryInfo[] | undefined> {
    const { target, options } = this.#init
    const found = await ifThere(target.lstat(path, options))

    // a link to a directory is none
    return found?.isDirectory() === true ? all(target.ls(path, options)) : undefined
  }

  get #isExact (): boolean {
    return this.#recorded?.isExact === true
  }

  /** The names in the tree's directory and what they stand for. */
  * kinds ({ isStanding, recorded, now }: Place): Generator<[name: string, kind: EntryInfo['kind']]> {
    if (isStanding && this.#isExact) {
      for (const [name, facts] of recorded?.names ?? []) {
        yield [name, kindOfFacts(facts)]
      }

      return
    }

    for (const [name, { kind }] of now) {
      yield [name, kind]
    }
  }
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
