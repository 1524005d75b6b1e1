import path from 'node:path'
import pLimit from 'p-limit'
import { throwIfAborted } from '../abort.ts'
import { InvalidOptionError, StoreStateError } from '../errors.ts'
import { checkOptions, pathOption } from '../options.ts'
import { pace } from '../pace.ts'
import { compact, sealAll } from './maintenance/compact.ts'
import { collectGarbage } from './maintenance/gc.ts'
import { verifyClosed, verifyOpen } from './maintenance/verify-store.ts'
import { openForReading, openForWriting, writerOf } from './open-store.ts'
import { readSettings } from './options.ts'
import { liveBlocks, loggedBlocks } from './reading/log-iterator.ts'
import { VerifiedReader } from './reading/verified-reader.ts'
import { PackRoots } from './roots.ts'
import { collectBytes } from './writing/collect-bytes.ts'
import type { CompactOptions } from './maintenance/compact.ts'
import type { Collected, CollectOptions } from './maintenance/gc.ts'
import type { Verified, VerifyOptions } from './maintenance/verify-store.ts'
import type { OpenStore } from './open-store.ts'
import type { InternalOptions, PackOptions, Settings } from './options.ts'
import type { AbortOptions, PutOptions } from '../options.ts'
import type { BlockBatch } from './reading/block-batch.ts'
import type { ScanBlocksOptions } from './reading/log-iterator.ts'
import type { WriterSession } from './writing/writer-session.ts'
import type { Blockstore, InputPair, Pair } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'

interface Open extends OpenStore {
  readonly reader: VerifiedReader
}

/**
 * Keeps blocks in append-only CAR files of a directory, and named roots beside them: written in large sequential pieces,
 * and safe with one sync for each root that is published.
 *
 * It is an `interface-blockstore` for Helia and others, and holds blocks of up to 2 MiB whose hash is sha2-256. One process
 * can have it open for writing; any number can read it meanwhile.
 *
 * @example Blocks and a root
 *
 * ```ts
 * import { mkdtemp, rm } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { dagfs } from 'dagfs'
 * import { PackBlockstore } from 'dagfs/pack'
 *
 * const directory = await mkdtemp(join(tmpdir(), 'pack-'))
 * const blockstore = new PackBlockstore(directory)
 * await blockstore.open()
 *
 * try {
 *   const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
 *   await fs.addAll([{ path: '/hello.txt', content: 'hello' }])
 *   const { durability } = await fs.commit()
 *   // the root and all that it reaches survive a power cut
 *   console.log(durability) // commit
 * } finally {
 *   await blockstore.close()
 *   await rm(directory, { recursive: true })
 * }
 * ```
 */
export class PackBlockstore implements Blockstore {
  /** The store's directory, as an absolute path */
  readonly path: string
  /** Bytes that were put may be changed once the put has returned */
  readonly copiesBytes = true
  /** The named roots of the store */
  readonly roots: PackRoots
  readonly #settings: Settings
  /** What rewrites segments or looks at all of them does so alone */
  readonly #maintenance = pLimit(1)
  #opening: Promise<OpenStore> | undefined
  #open: Open | undefined

  /**
   * @throws {InvalidOptionError} where an option is unknown or cannot be used
   */
  constructor (directory: string, options?: PackOptions)
  /** @internal */
  constructor (directory: string, options?: InternalOptions)
  constructor (directory: string, options: InternalOptions = {}) {
    this.path = path.resolve(pathOption('directory', directory, 'must be the path of the store, as in new PackBlockstore(directory, options)'))
    this.#settings = readSettings(options)
    this.roots = new PackRoots(() => this.#any(), this.#settings.durability)
  }

  /** Blocks are compared with their CIDs before they are given, unless the store is `trusted` */
  get checksBytes (): boolean {
    return !this.#settings.trusted
  }

  /**
   * Opens the store, and makes it where the directory is empty or absent.
   *
   * @throws {StoreLockedError} where it is open for writing already, here or in another process
   * @throws {CorruptStoreError} where the path is no directory or the directory no store, where nothing in it can be read, or
   * where the end of its log is missing; see `verify()`
   * @throws {UnsupportedVersionError} where it was written by a newer release
   * @throws {NotFoundError} where there is no store and none may be made
   * @throws {StoreStateError} where it cannot be written to, its index cannot be opened for now or its lock is no database, or
   * where it is closed meanwhile
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store', { durability: 'none' })
   * await blockstore.open()
   * await blockstore.close()
   *
   * const reader = new PackBlockstore('./store', { readonly: true })
   * await reader.open()
   * await reader.close()
   * ```
   */
  async open (): Promise<void> {
    const opening = this.#opening ??= (this.#settings.readonly ? openForReading : openForWriting)(this.path, this.#settings)

    try {
      const store = await opening

      if (this.#opening !== opening) {
        throw new StoreStateError('the pack store was closed during open()', { path: this.path })
      }

      const { session, writer } = store
      this.#open ??= { ...store, reader: new VerifiedReader(session, this.#settings.trusted, key => { writer?.noteDamaged(key) }) }
    } catch (err) {
      this.#opening = this.#opening === opening ? undefined : this.#opening
      throw err
    }
  }

  /**
   * Makes everything durable and gives the lock back; a collection or verification under way is waited for. What else is under
   * way ends with its result or with a StoreStateError.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   *
   * try {
   *   console.log(await blockstore.roots.get('main')) // undefined
   * } finally {
   *   await blockstore.close()
   * }
   * ```
   */
  async close (): Promise<void> {
    const [open, opening] = [this.#open, this.#opening]
    this.#open = undefined
    this.#opening = undefined
    await this.#maintenance(async () => {
      await open?.reader.close()
      // one that is being opened is closed once it is; where that fails, whoever opens it is told
      const store = open ?? await opening?.catch(() => undefined)
      await store?.session.close()
    })
  }

  /**
   * Makes every block that was put durable, whatever the store's durability.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   * import { CID } from 'multiformats/cid'
   * import * as raw from 'multiformats/codecs/raw'
   * import { sha256 } from 'multiformats/hashes/sha2'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const bytes = new TextEncoder().encode('hello')
   * const cid = CID.createV1(raw.code, await sha256.digest(bytes))
   * await blockstore.put(cid, bytes)
   * await blockstore.sync() // the block survives a power cut from here on
   * await blockstore.close()
   * ```
   */
  async sync ({ signal }: AbortOptions = {}): Promise<void> {
    throwIfAborted(signal)
    await this.#writer().sync()
  }

  /**
   * Whether the store has a block. It is looked up and not read, so that a damaged one counts; see `verify()`.
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
   * await fs.writeFile('/hello.txt', 'hello')
   * const { root } = await fs.commit()
   * console.log(await blockstore.has(root)) // true
   * await blockstore.close()
   * ```
   */
  async has (cid: CID, { signal }: AbortOptions = {}): Promise<boolean> {
    throwIfAborted(signal)

    return this.#any().reader.has(cid)
  }

  /**
   * Stores a block, compared with its CID unless it is `verified`; what is there already is not written again, unless it is
   * damaged, and other bytes for it are not looked at. Whoever says that a block is verified which is not loses, in a crash,
   * all that is committed with it.
   *
   * @throws {UnsupportedHashError} where the CID's hash is not sha2-256, or its numbers are not in their shortest form
   * @throws {LimitExceededError} where the block is larger than 2 MiB, or would begin more than 2^20 segments
   * @throws {BlockMismatchError} where the bytes do not match the CID, and none are there
   * @throws {StoreStateError} where the index could not be written for the last million of blocks
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   * import { CID } from 'multiformats/cid'
   * import * as raw from 'multiformats/codecs/raw'
   * import { sha256 } from 'multiformats/hashes/sha2'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const bytes = new TextEncoder().encode('hello')
   * const cid = CID.createV1(raw.code, await sha256.digest(bytes))
   * await blockstore.put(cid, bytes)
   * console.log(await blockstore.has(cid)) // true
   * await blockstore.close()
   * ```
   */
  put (cid: CID, bytes: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>, options: PutOptions = {}): CID | Promise<CID> {
    const isPut = bytes instanceof Uint8Array && options.signal?.aborted !== true && this.#writer().putNow(cid, bytes, options)

    return isPut ? cid : this.#put(cid, bytes, options)
  }

  /**
   * Stores blocks one after another, as `put` does, and gives the CID of each once it is stored.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   * import { CID } from 'multiformats/cid'
   * import * as raw from 'multiformats/codecs/raw'
   * import { sha256 } from 'multiformats/hashes/sha2'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const bytes = new TextEncoder().encode('hello')
   * const cid = CID.createV1(raw.code, await sha256.digest(bytes))
   * for await (const put of blockstore.putMany([{ cid, bytes }])) {
   *   console.log(put.equals(cid)) // true
   * }
   * await blockstore.close()
   * ```
   */
  async * putMany (source: Iterable<InputPair> | AsyncIterable<InputPair>, options: PutOptions = {}): AsyncGenerator<CID> {
    for await (const { cid, bytes } of source) {
      await pace(options)
      const put = this.put(cid, bytes, options)

      if (put instanceof Promise) {
        await put
      }

      yield cid
    }
  }

  /**
   * Reads a block, compared with its CID unless the store is trusted.
   *
   * @throws {NotFoundError} where the store does not have it; never for a failure to read it
   * @throws {BlockMismatchError} where it is damaged
   * @throws {CorruptStoreError} where a segment is missing, or may hide it
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
   * await fs.writeFile('/hello.txt', 'hello')
   * const { root } = await fs.commit()
   * for await (const bytes of blockstore.get(root)) {
   *   console.log(bytes.byteLength) // 26
   * }
   * await blockstore.close()
   * ```
   */
  async * get (cid: CID, { signal }: AbortOptions = {}): AsyncGenerator<Uint8Array> {
    throwIfAborted(signal)
    yield await this.#any().reader.read(cid)
  }

  /**
   * Reads blocks in the order that they are asked for. Of an array, several at a time are read in the order in which
   * they stand on the disk; where one of these cannot be read, none of them is given.
   *
   * @throws {NotFoundError} and what else `get` throws
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
   * await fs.writeFile('/hello.txt', 'hello')
   * const { root } = await fs.commit()
   * for await (const { cid, bytes } of blockstore.getMany([root])) {
   *   for await (const piece of bytes) {
   *     console.log(cid.equals(root), piece.byteLength) // true 26
   *   }
   * }
   * await blockstore.close()
   * ```
   */
  async * getMany (source: Iterable<CID> | AsyncIterable<CID>, options: AbortOptions = {}): AsyncGenerator<Pair> {
    for await (const cids of Array.isArray(source) ? batches(source) : single(source)) {
      await pace(options)

      for (const { cid, bytes } of await this.#any().reader.readBatch(cids)) {
        yield { cid, bytes: one(bytes) }
      }
    }
  }

  /**
   * All blocks of the store in the order in which they stand on the disk, with CIDs of version 1; once each, but for those
   * that a compaction moves meanwhile. Where a segment is damaged, its blocks that only the index finds come behind its others.
   *
   * @throws {CorruptStoreError} where a segment is missing; or behind all other blocks, where a damaged one may have some that the index does
   * not know
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
   * await fs.writeFile('/hello.txt', 'hello')
   * const { root } = await fs.commit()
   * for await (const { cid } of blockstore.getAll()) {
   *   console.log(cid.equals(root)) // true
   * }
   * await blockstore.close()
   * ```
   */
  async * getAll ({ signal }: AbortOptions = {}): AsyncGenerator<Pair> {
    throwIfAborted(signal)

    for await (const cid of liveBlocks(this.#any().session, { signal })) {
      yield { cid, bytes: this.get(cid, { signal }) }
    }
  }

  /**
   * All that stands in the log, at the speed of reading its files: some blocks for each read, as places in a buffer.
   * Nothing is compared with its CID; blocks that were deleted are among them, and those that are there twice.
   *
   * @throws {CorruptStoreError} where a segment is missing, or has bytes that are no block
   * @throws {InvalidOptionError} where `readBytes` is no integer from 1 to 64 MiB
   *
   * @example Counting bytes
   *
   * ```ts
   * import { mkdtemp, rm } from 'node:fs/promises'
   * import { tmpdir } from 'node:os'
   * import { join } from 'node:path'
   * import { dagfs } from 'dagfs'
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const directory = await mkdtemp(join(tmpdir(), 'pack-'))
   * const blockstore = new PackBlockstore(directory)
   * await blockstore.open()
   *
   * try {
   *   const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
   *   await fs.writeFile('/hello.txt', 'hello')
   *   await fs.commit()
   *
   *   for await (const batch of blockstore.scan({ readBytes: 65_536 })) {
   *     for (let i = 0; i < batch.length; i++) {
   *       console.log(`${batch.cid(i)} has ${batch.ends[i] - batch.starts[i]} bytes`)
   *     }
   *   }
   * } finally {
   *   await blockstore.close()
   *   await rm(directory, { recursive: true })
   * }
   * ```
   */
  scan (options: ScanBlocksOptions = {}): AsyncGenerator<BlockBatch> {
    checkOptions(options, ['readBytes', 'signal'])

    return loggedBlocks(this.#any().session, options)
  }

  /**
   * Forgets a block; its bytes go with the next `compact()` or `gc()`.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   * import { CID } from 'multiformats/cid'
   * import * as raw from 'multiformats/codecs/raw'
   * import { sha256 } from 'multiformats/hashes/sha2'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const bytes = new TextEncoder().encode('hello')
   * const cid = CID.createV1(raw.code, await sha256.digest(bytes))
   * await blockstore.put(cid, bytes)
   * await blockstore.delete(cid)
   * console.log(await blockstore.has(cid)) // false
   * await blockstore.close()
   * ```
   */
  async delete (cid: CID, { signal }: AbortOptions = {}): Promise<void> {
    throwIfAborted(signal)
    await this.#writer().delete(cid)
  }

  /**
   * Forgets blocks one after another, and gives the CID of each once it is forgotten.
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   * import { CID } from 'multiformats/cid'
   * import * as raw from 'multiformats/codecs/raw'
   * import { sha256 } from 'multiformats/hashes/sha2'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const bytes = new TextEncoder().encode('hello')
   * const cid = CID.createV1(raw.code, await sha256.digest(bytes))
   * await blockstore.put(cid, bytes)
   *
   * for await (const deleted of blockstore.deleteMany([cid])) {
   *   console.log(deleted.equals(cid)) // true
   * }
   *
   * await blockstore.compact() // frees their bytes
   * await blockstore.close()
   * ```
   */
  async * deleteMany (source: Iterable<CID> | AsyncIterable<CID>, options: AbortOptions = {}): AsyncGenerator<CID> {
    for await (const cid of source) {
      await pace(options)
      await this.delete(cid, options)
      yield cid
    }
  }

  /**
   * Removes every block that the roots do not reach, while puts and reads go on. A failure to read a block ends it with
   * nothing removed that any root reaches. Segments with bytes that no block could be found in stay as they are, garbage
   * included, until `verify()` heals or drops what is damaged.
   *
   * @throws {InvalidOptionError} without `roots` and `links`
   * @throws {CorruptStoreError} where a segment is missing that the index knows
   *
   * @example
   *
   * ```ts
   * import * as dagCbor from '@ipld/dag-cbor'
   * import { PackBlockstore } from 'dagfs/pack'
   * import * as Block from 'multiformats/block'
   * import { sha256 as hasher } from 'multiformats/hashes/sha2'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const [first, other] = await Promise.all(['first', 'other'].map(async text => Block.encode({ value: { text }, codec: dagCbor, hasher })))
   * const root = await Block.encode({ value: { first: first.cid }, codec: dagCbor, hasher })
   *
   * for (const { cid, bytes } of [first, other, root]) {
   *   await blockstore.put(cid, bytes)
   * }
   *
   * const { reached, freedBlocks } = await blockstore.gc({
   *   roots: [root.cid],
   *   links: ({ cid, bytes }) => Array.from(Block.createUnsafe({ cid, bytes, codec: dagCbor }).links(), ([, link]) => link),
   *   keepUncommitted: false
   * })
   * console.log(reached, freedBlocks) // 2 1
   * await blockstore.close()
   * ```
   */
  async gc (options: CollectOptions): Promise<Collected> {
    if (options?.roots === undefined || typeof options.links !== 'function') {
      throw new InvalidOptionError('roots', 'and links are needed; for trees of dagfs use fs.gc()')
    }

    const [session, { reader }] = [this.#writer(), this.#any()]

    return this.#maintenance(async () => collectGarbage(session, async cid => reader.read(cid), options))
  }

  /**
   * Gives the bytes of deleted blocks back, while puts and reads go on: segments that have some are written anew without
   * them. As with `gc()`, segments with bytes that no block could be found in stay as they are.
   *
   * @throws {CorruptStoreError} where a segment is missing that the index knows
   *
   * @example
   *
   * ```ts
   * import { PackBlockstore } from 'dagfs/pack'
   * import { CID } from 'multiformats/cid'
   * import * as raw from 'multiformats/codecs/raw'
   * import { sha256 } from 'multiformats/hashes/sha2'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const bytes = new TextEncoder().encode('hello')
   * const cid = CID.createV1(raw.code, await sha256.digest(bytes))
   * await blockstore.put(cid, bytes)
   * await blockstore.delete(cid)
   * await blockstore.compact({ minGarbage: 0.2 }) // leaves segments alone of which less than a fifth is garbage
   * await blockstore.close()
   * ```
   */
  async compact (options: CompactOptions = {}): Promise<void> {
    const session = this.#writer()
    await this.#maintenance(async () => {
      await compact(session, await sealAll(session), () => true, options)
    })
  }

  /**
   * Reads every byte of the store and finds every block that is damaged, missing or cannot be read. It changes nothing,
   * unless it is told to `heal` from another source or to `drop` what is damaged.
   *
   * It can be called without `open()`, and so of a store that cannot be opened since the end of its log is missing: `drop`
   * then accepts that the roots which were published there are lost.
   *
   * @throws {StoreLockedError} where it has to repair a store that is not open here, but elsewhere
   * @throws {StoreStateError} where it has to repair a store that is `readonly`, open or not
   * @throws {CorruptStoreError} where the end of the log is missing, and it was told to heal but not to drop; or where the index proves
   * to be damaged while the store is open for writing, which makes it anew when it is opened again
   *
   * @example
   *
   * ```ts
   * import { dagfs } from 'dagfs'
   * import { PackBlockstore } from 'dagfs/pack'
   *
   * const blockstore = new PackBlockstore('./store')
   * await blockstore.open()
   * const fs = dagfs({ blockstore }, { name: 'main', roots: blockstore.roots })
   * await fs.writeFile('/hello.txt', 'hello')
   * const { root } = await fs.commit()
   * const { blocks, problems } = await blockstore.verify()
   * console.log(blocks, problems) // 1 []
   * await blockstore.close()
   * ```
   */
  async verify (options: VerifyOptions = {}): Promise<Verified> {
    const open = this.#open

    return this.#maintenance(async () => open === undefined
      ? verifyClosed(this.path, this.#settings, options)
      : verifyOpen(open, options))
  }

  async #put (cid: CID, source: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>, options: PutOptions): Promise<CID> {
    throwIfAborted(options.signal)
    const bytes = await collectBytes(source)
    await this.#writer().put(cid, bytes, options)

    return cid
  }

  #any (): Open {
    if (this.#open === undefined) {
      throw new StoreStateError('the pack store is not open', { path: this.path })
    }

    return this.#open
  }

  #writer (): WriterSession {
    return writerOf(this.#any())
  }
}

// blocks have up to 2 MiB, of most stores far less
const batchLength = 16

function * batches (cids: readonly CID[]): Generator<CID[]> {
  for (let i = 0; i < cids.length; i += batchLength) {
    yield cids.slice(i, i + batchLength)
  }
}

async function * single (cids: Iterable<CID> | AsyncIterable<CID>): AsyncGenerator<CID[]> {
  for await (const cid of cids) {
    yield [cid]
  }
}

function * one (bytes: Uint8Array): Generator<Uint8Array> {
  yield bytes
}
