import type { IndexOverlay } from './block-index/index-overlay.ts'
import type { LostEnd } from './block-index/load.ts'
import type { Location } from './format/locations.ts'
import type { Segments } from './segments/segments.ts'

export interface EndsOptions {
  /** Whether what was put is left out where the disk has no room for it; else that is found to be an error */
  readonly leavesOutUnwritten?: boolean
}

/** What an open store follows: another process may write to it meanwhile */
export interface Follower {
  /** Learns what was committed meanwhile */
  refresh(): Promise<void>
  /** Whether the index could not be read, so that what `find` does not know may be there: `refresh` goes without it */
  readonly isUnsure: boolean
  /** Keeps the overlay unchanged and open until the returned function is called */
  holdOverlay(): () => void
}

/** A store that is open: for writing, or for reading beside a writer */
export interface Session {
  /** Not there where nobody else can write */
  readonly follower?: Follower
  readonly roots: ReadonlyMap<string, Uint8Array>
  readonly store: Uint8Array
  readonly segments: Segments
  readonly overlay: IndexOverlay
  /** What was acknowledged and is gone, where the store was opened though */
  readonly lost: LostEnd | undefined
  /** Where a block stands, as far as is known without a refresh */
  find(key: Uint8Array): Location | undefined
  /** A block's bytes, where nothing has to be waited for */
  readNow(location: Location): Uint8Array | undefined
  read(location: Location): Promise<Uint8Array>
  /** The segments of the store, and where each of them ends; undefined for the file's end */
  ends(options?: EndsOptions): Promise<Map<number, number | undefined>>
  /** Whether blocks may stand in the log that could not be found there */
  mayContainUnindexed(): boolean
  close(): Promise<void>
}

/** Whether there may be blocks that `find` does not know */
export function isUnsure ({ follower }: Session): boolean {
  return follower?.isUnsure === true
}

/** Where a block stands by what others have written so far. */
export async function findNewest (session: Session, key: Uint8Array): Promise<Location | undefined> {
  let location: Location | undefined

  do {
    await session.follower?.refresh()
    location = session.find(key)
  } while (location === undefined && isUnsure(session))

  return location
}
