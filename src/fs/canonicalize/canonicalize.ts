import { CustomProgressEvent } from 'progress-events'
import { throwIfAborted } from '../../abort.ts'
import { CidSet } from '../../blockstore/index.ts'
import { Budget, streamedLimits } from '../../budget.ts'
import { cidKey } from '../../codec/index.ts'
import { buildDirectory, listEntries } from '../../directory/index.ts'
import { LimitExceededError } from '../../errors.ts'
import { canonicalFile } from '../../file/index.ts'
import { joinPath, maxPathSegments } from '../../path.ts'
import type { CanonicalizeOptions } from './types.ts'
import type { BlockReader, BlockWriter } from '../../blockstore/index.ts'
import type { ReadOptions } from '../../budget.ts'
import type { Block, DirectoryEntry, Entry, FileEntry } from '../../codec/index.ts'
import type { FileLayout, StoredFile } from '../../file/index.ts'
import type { Reach } from '../gc/reachable.ts'
import type { Holder } from '../publish/holders.ts'
import type { CID } from 'multiformats/cid'

const entriesBetweenReports = 1000

/** A directory that is stored anew. */
interface Done {
  readonly cid: CID
  readonly size: number
  /** Levels of directories and entries below */
  readonly height: number
}

/**
 * Stores a tree as a fresh import of its content stores it. Blocks that are right already are not put.
 */
export class Canonicalizer implements Holder {
  readonly #root: CID
  #isDone = false
  readonly #blocks: BlockReader
  readonly #put: (block: Block) => Promise<void>
  readonly #layout: FileLayout
  readonly #options: CanonicalizeOptions
  readonly #reading: ReadOptions & { readonly budget: Budget }
  /** By the CIDs that they had */
  readonly #directories = new Map<string, Done>()
  /** By the CIDs and sizes that they had; those alone that have another CID now */
  readonly #files = new Map<string, StoredFile>()
  #entries = 0
  #bytes = 0

  constructor ({ blocks, writer }: { blocks: BlockReader, writer: BlockWriter }, root: CID, layout: FileLayout, options: CanonicalizeOptions) {
    const there = new CidSet()
    this.#root = root
    this.#layout = layout
    this.#options = options
    this.#reading = { signal: options.signal, budget: Budget.of(options.limits, streamedLimits, '/') }
    this.#blocks = {
      async get (cid, getOptions) {
        const block = await blocks.get(cid, getOptions)
        there.add(cid)

        return block
      }
    }
    this.#put = async block => {
      if (!there.has(block.cid)) {
        await writer.put(block, options)
      }
    }
  }

  /** The tree, as long as it is read. The handle holds what is put. */
  held (): Reach[] {
    return this.#isDone ? [] : [{ cid: this.#root, isOptional: true }]
  }

  /**
   * Returns the new root.
   *
   * @throws {InvalidNodeError} where the tree contradicts itself, so that it cannot be read
   * @throws {LimitExceededError} below 1,024 segments, and where the limits are reached
   */
  async run (): Promise<CID> {
    try {
      const { cid } = await this.#directory(this.#root, '/', 0)
      this.#report()

      return cid
    } finally {
      this.#isDone = true
    }
  }

  async #directory (given: CID, path: string, depth: number): Promise<Done> {
    const key = cidKey(given)
    const done = this.#directories.get(key) ?? await this.#build(given, path, depth)

    if (depth + done.height > maxPathSegments) {
      refuseDepth(path)
    }

    this.#directories.set(key, done)

    return done
  }

  async #build (given: CID, path: string, depth: number): Promise<Done> {
    const below = { height: 0 }
    const blocks = buildDirectory(this.#listed(given, path, depth, below))

    for (;;) {
      const { done, value } = await blocks.next()

      if (done === true) {
        return { cid: value.cid, size: value.size, height: below.height }
      }

      await this.#put(value)
    }
  }

  async * #listed (given: CID, path: string, depth: number, below: { height: number }): AsyncGenerator<Entry> {
    // without the size that is claimed for it: that is made right
    for await (const entry of listEntries(this.#blocks, { cid: given }, {}, this.#reading)) {
      throwIfAborted(this.#options.signal)
      this.#reading.budget.spend('entries', 1)
      below.height = Math.max(below.height, 1)

      if (entry.kind === 'directory') {
        const { stored, height } = await this.#childDirectory(entry, joinPath(path, entry.name), depth + 1)
        below.height = Math.max(below.height, height + 1)
        yield stored
      } else {
        yield entry.kind === 'file' ? await this.#file(entry) : entry
      }

      if (++this.#entries % entriesBetweenReports === 0) {
        this.#report()
      }
    }
  }

  async #childDirectory (entry: DirectoryEntry, path: string, depth: number): Promise<{ stored: DirectoryEntry, height: number }> {
    // else a hostile tree is gone into without end
    if (depth > maxPathSegments) {
      refuseDepth(path)
    }

    const { cid, size, height } = await this.#directory(entry.content, path, depth)

    return { stored: { ...entry, content: cid, size }, height }
  }

  async #file (entry: FileEntry): Promise<FileEntry> {
    const { content, size } = entry
    const key = content instanceof Uint8Array ? undefined : `${size} ${cidKey(content)}`
    const known = key === undefined ? undefined : this.#files.get(key)
    const stored = known ?? await canonicalFile(this.#blocks, this.#put, { content, size }, this.#layout, this.#reading)

    if (known === undefined && stored.content !== content) {
      this.#bytes += size

      if (key !== undefined && !(stored.content instanceof Uint8Array)) {
        this.#files.set(key, stored)
      }
    }

    return { ...entry, content: stored.content, size: stored.size }
  }

  #report (): void {
    this.#options.onProgress?.(new CustomProgressEvent('dagfs:canonicalize', { entries: this.#entries, bytes: this.#bytes }))
  }
}

function refuseDepth (path: string): never {
  throw new LimitExceededError(`the tree is more than ${maxPathSegments} directories deep`, { path })
}
