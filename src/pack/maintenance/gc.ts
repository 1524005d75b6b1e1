import { CID } from 'multiformats/cid'
import { concat } from '../../bytes.ts'
import { pace } from '../../pace.ts'
import { openDatabase } from '../files/sqlite.ts'
import { keyOf } from '../format/section.ts'
import { compact, sealAll } from './compact.ts'
import type { Compacted, CompactOptions } from './compact.ts'
import type { WriterSession } from '../writing/writer-session.ts'

/** A block as the caller's functions see it */
export interface PackBlock {
  readonly cid: CID
  readonly bytes: Uint8Array
}

/** Options of `gc`, which asks for `roots` and `links`. */
export interface CollectOptions extends CompactOptions {
  /** The blocks that are kept, with all that they reach */
  readonly roots: Iterable<CID> | AsyncIterable<CID>
  /**
   * The CIDs that a block links to: the store knows no format. It is not asked about raw blocks. What an identity CID holds is given
   * as a block, too: what that links to stays
   */
  links(block: PackBlock): Iterable<CID> | Promise<Iterable<CID>>
  /**
   * Keep what was put since the last root was published, or the store was opened, which no root reaches yet; true by default.
   * A store that nobody publishes roots in, such as a Helia's, passes false.
   */
  readonly keepUncommitted?: boolean
  /** Told the number of blocks that were reached, as they are */
  onProgress?(reached: number): void
}

/** What `gc` kept and freed. */
export interface Collected extends Compacted {
  /** Blocks that the roots reach */
  readonly reached: number
}

const rawCode = 0x55
const identityCode = 0x00

/**
 * Removes what no root reaches. Puts and reads go on meanwhile, and what they touch stays.
 */
export async function collectGarbage (session: WriterSession, read: (cid: CID) => Promise<Uint8Array>, options: CollectOptions): Promise<Collected> {
  return session.protectedBlocks.hold(async () => {
    const marks = new Marks()

    try {
      const sealed = await sealAll(session)
      const reached = await mark(marks, read, options)
      const { keepUncommitted = true } = options
      const freed = await compact(session, sealed, (key, location) =>
        marks.has(key) || (keepUncommitted ? session.protectedBlocks.has(key, location) : session.protectedBlocks.isFound(key)), options)

      return { reached, ...freed }
    } finally {
      marks.close()
    }
  })
}

async function mark (marks: Marks, read: (cid: CID) => Promise<Uint8Array>, options: CollectOptions): Promise<number> {
  let reached = 0

  for await (const root of options.roots) {
    const open = [keyOf(root)]

    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      await pace(options)

      if (!marks.add(key)) {
        continue
      }

      const cid = linkOf(key)
      // it holds its own bytes, which are no block of the store, and may link to some
      const isInline = cid.multihash.code === identityCode

      if (!isInline) {
        reached++
        options.onProgress?.(reached)
      }

      if (cid.code !== rawCode) {
        for (const link of await options.links({ cid, bytes: isInline ? cid.multihash.digest : await read(cid) })) {
          open.push(keyOf(link))
        }
      }
    }
  }

  return reached
}

/** The CID of a key, whatever its hash is: of others than the store's own, links may name what no block of it is. */
function linkOf (key: Uint8Array): CID {
  return CID.decode(concat([Uint8Array.of(1), key]))
}

/** A set of keys that may be larger than memory. */
class Marks {
  readonly #database = openDatabase('')
  readonly #add
  readonly #has

  constructor () {
    this.#database.exec('PRAGMA cache_size = -16384; CREATE TABLE marks (key BLOB PRIMARY KEY) WITHOUT ROWID; BEGIN')
    this.#add = this.#database.prepare('INSERT OR IGNORE INTO marks VALUES (?)')
    this.#has = this.#database.prepare('SELECT 1 FROM marks WHERE key = ?')
  }

  /** Whether the key is new */
  add (key: Uint8Array): boolean {
    return this.#add.run(key).changes === 1
  }

  has (key: Uint8Array): boolean {
    return this.#has.get(key) !== undefined
  }

  close (): void {
    this.#database.close()
  }
}
