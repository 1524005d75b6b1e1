import type { StoredContent } from './blocks.ts'
import type { Metadata } from './header.ts'
import type { SkeletonEntry, StoredDirectory, StoredFile, StoredNodes } from './stored-nodes.ts'
import type { Attributes } from '../../../trees/tree.ts'
import type { CID } from 'multiformats/cid'

const VERSION = '1.0.0'
const DIRECTORY_MODE = 0o755

interface EditedFile extends StoredFile {
  readonly previous?: CID
}

/**
 * A directory with its edits. What is below it is read when a path leads there.
 */
export class HeaderDirectory {
  readonly #nodes: StoredNodes
  readonly #skeleton: Record<string, SkeletonEntry>
  readonly #links: Map<string, CID>
  readonly #files = new Map<string, EditedFile>()
  readonly #directories = new Map<string, HeaderDirectory>()
  readonly #previous: CID | undefined
  #metadata: Metadata
  #isEdited: boolean

  private constructor (nodes: StoredNodes, { metadata, skeleton, links }: StoredDirectory, previous?: CID) {
    this.#nodes = nodes
    this.#metadata = metadata
    this.#skeleton = { ...skeleton }
    this.#links = new Map(links)
    this.#previous = previous
    this.#isEdited = previous == null
  }

  static empty (nodes: StoredNodes, time = new Date(0)): HeaderDirectory {
    return new HeaderDirectory(nodes, { metadata: directoryMetadata(time), skeleton: {}, links: new Map() })
  }

  static async open (nodes: StoredNodes, cid: CID): Promise<HeaderDirectory> {
    return new HeaderDirectory(nodes, await nodes.getDirectory(cid), cid)
  }

  /**
   * Makes every directory of a path that is not there yet.
   */
  async mkdir ([name, ...rest]: string[], time: Date): Promise<void> {
    if (name == null) {
      return
    }

    if (!this.#has(name)) {
      this.#directories.set(name, HeaderDirectory.empty(this.#nodes, time))
      this.#touch(time)
    }

    await (await this.#directory(name)).mkdir(rest, time)
  }

  async write ([name, ...rest]: string[], content: StoredContent, attributes: Attributes): Promise<void> {
    if (rest.length > 0) {
      await (await this.#directory(name)).write(rest, content, attributes)
    } else {
      this.#files.set(name, await this.#written(name, content, attributes))
    }

    this.#touch(attributes.mtime)
  }

  async file ([name, ...rest]: string[]): Promise<StoredFile> {
    if (rest.length > 0) {
      return (await this.#directory(name)).file(rest)
    }

    return this.#files.get(name) ?? this.#nodes.getFile(this.#linkOf(name))
  }

  async names ([name, ...rest]: string[]): Promise<string[]> {
    return name == null
      ? [...new Set([...this.#links.keys(), ...this.#files.keys(), ...this.#directories.keys()])]
      : (await this.#directory(name)).names(rest)
  }

  /**
   * Stores what was edited here and below, each node once.
   */
  async store (): Promise<SkeletonEntry> {
    for (const [name, file] of this.#files) {
      this.#enter(name, await this.#nodes.putFile(file))
    }

    for (const [name, directory] of this.#directories) {
      if (directory.#isEdited) {
        this.#enter(name, await directory.store())
      }
    }

    return this.#nodes.putDirectory({ metadata: this.#metadata, previous: this.#previous, skeleton: this.#skeleton, links: this.#links })
  }

  #enter (name: string, entry: SkeletonEntry): void {
    this.#skeleton[name] = entry
    this.#links.set(name, entry.cid)
  }

  /**
   * A file that is there is the one before this one, and was made when it was.
   */
  async #written (name: string, { cid, size }: StoredContent, { mode, mtime }: Attributes): Promise<EditedFile> {
    const previous = this.#links.get(name)
    const time = seconds(mtime)
    const ctime = previous == null ? time : (await this.#nodes.getFile(previous)).metadata.unixMeta.ctime

    return { metadata: { unixMeta: { mtime: time, ctime, mode, type: 'file' }, isFile: true, version: VERSION, size }, userland: cid, previous }
  }

  async #directory (name: string): Promise<HeaderDirectory> {
    const directory = this.#directories.get(name) ?? await HeaderDirectory.open(this.#nodes, this.#linkOf(name))

    this.#directories.set(name, directory)

    return directory
  }

  #linkOf (name: string): CID {
    const cid = this.#links.get(name)

    if (cid == null) {
      throw new Error(`there is no ${name}`)
    }

    return cid
  }

  #has (name: string): boolean {
    return this.#links.has(name) || this.#directories.has(name)
  }

  #touch (time: Date): void {
    const { unixMeta } = this.#metadata

    this.#metadata = { ...this.#metadata, unixMeta: { ...unixMeta, mtime: seconds(time) } }
    this.#isEdited = true
  }
}

function directoryMetadata (time: Date): Metadata {
  return { unixMeta: { mtime: seconds(time), ctime: seconds(time), mode: DIRECTORY_MODE, type: 'dir' }, isFile: false, version: VERSION }
}

function seconds (time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
