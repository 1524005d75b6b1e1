import { recentBlocks } from '../../blockstore/index.ts'
import { joinPath } from '../../path.ts'
import { canonicalPath } from '../../tree/index.ts'
import { DraftDirectory } from './directory.ts'
import { DraftFile, isStoredAs } from './file.ts'
import type { ChangeEmitter } from './change-emitter.ts'
import type { Draft } from './draft.ts'
import type { FileContext, FilePlace } from './file.ts'
import type { BlockReader, BlockWriter } from '../../blockstore/index.ts'
import type { LimitOptions } from '../../budget.ts'
import type { Content, FileEntry, Time } from '../../codec/index.ts'
import type { FileLayout } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Located, TreeNode } from '../../tree/index.ts'

/** What open files need of their surroundings. */
export interface OpenFilesInit {
  readonly blocks: BlockReader
  layout(): FileLayout
  /** Bytes of memory that files and the draft may hold together */
  readonly budgetBytes: number
  /** Who watches */
  readonly changes: ChangeEmitter
  /** The present draft */
  draft(): Draft
  now(): Time | undefined
  /** Whether nobody edits the draft */
  isIdle(): boolean
  /** Does an edit of the draft while nobody else does */
  exclusively<T>(edit: () => Promise<T>): Promise<T>
}

/**
 * The files of a filesystem that are open. One that has been written to, or is about to be, is in the draft, where its
 * path is found like any other. One that is only read is not, and is known here by its path.
 */
export class OpenFiles implements FileContext {
  readonly #init: OpenFilesInit
  readonly #blocks: BlockReader
  /** Files that are not in the draft, by path */
  readonly #unedited = new Map<string, DraftFile>()
  /** Files that somebody has open, whether a path leads to them or not */
  readonly #open = new Set<DraftFile>()
  /** Files that hold content in memory, and how much */
  readonly #held = new Map<DraftFile, number>()
  #heldBytes = 0
  #version = 0

  constructor (init: OpenFilesInit) {
    this.#init = init
    this.#blocks = recentBlocks(init.blocks)
  }

  get blocks (): BlockReader {
    return this.#blocks
  }

  get layout (): FileLayout {
    return this.#init.layout()
  }

  get writer (): BlockWriter {
    return this.#init.draft().writer
  }

  now (): Time | undefined {
    return this.#init.now()
  }

  changed (file: DraftFile): void {
    const { changes } = this.#init

    if (changes.isWatched && file.parent !== undefined) {
      changes.tell('change', joinPath(pathTo(file.parent), file.name))
    }
  }

  /** Another one as soon as a path may lead to another file. */
  get version (): number {
    return this.#version
  }

  /** The file that is open where a path leads, in the draft or not. */
  openAt (located: Located): DraftFile | undefined {
    if (located.node instanceof DraftFile) {
      return located.node
    }

    return this.#unedited.size === 0 ? undefined : this.#uneditedAt(canonicalPath(located), located.node)
  }

  /** The file that is known by a path; undefined where something else came to be there. */
  #uneditedAt (path: string, node: TreeNode | undefined): DraftFile | undefined {
    const file = this.#unedited.get(path)

    return file !== undefined && isStoredAs(file.entry, node) ? file : undefined
  }

  /** Opens a file, by its path from the root, for reading. */
  open (path: string, entry: FileEntry): DraftFile {
    const file = this.#uneditedAt(path, entry) ?? this.create(entry)
    this.#unedited.set(path, file)

    return file.open()
  }

  /** A file that is to be put into the draft. */
  create (entry: FileEntry): DraftFile {
    return new DraftFile(this, entry)
  }

  /** What was found by a path, or below it, is found by another from now on, or by none. */
  moved (from: Located, to?: Located): void {
    this.#version++

    if (this.#unedited.size > 0) {
      this.#move(canonicalPath(from), to === undefined ? undefined : canonicalPath(to))
    }
  }

  #move (from: string, to: string | undefined): void {
    for (const [path, file] of this.#unedited) {
      if (path === from || path.startsWith(`${from}/`)) {
        this.#unedited.delete(path)

        if (to !== undefined) {
          this.#unedited.set(to + path.slice(from.length), file)
        }
      }
    }
  }

  /** The paths of files that are not in the draft and are found by them somewhere else as well. */
  async uneditedIn (isFound: (path: string, entry: FileEntry) => Promise<boolean>): Promise<Set<string>> {
    const found = new Set<string>()

    for (const [path, { entry }] of this.#unedited) {
      if (await isFound(path, entry)) {
        found.add(path)
      }
    }

    return found
  }

  /** No other path leads to a file that is not in the draft any more. */
  keep (paths: ReadonlySet<string>): void {
    this.#version++

    for (const path of this.#unedited.keys()) {
      if (!paths.has(path)) {
        this.#unedited.delete(path)
      }
    }
  }

  async attach (file: DraftFile, options: AbortOptions): Promise<void> {
    if (this.#pathOf(file) !== undefined) {
      await this.#init.exclusively(async () => this.attachNow(file, options))
    }
  }

  /**
   * Changes a file that a path led to just now, for whoever edits the draft. It stays open during the work: one that nobody has open
   * may leave the draft, and what is written to it then would be lost.
   */
  async use <T> (file: DraftFile, work: () => Promise<T>, options: AbortOptions): Promise<T> {
    file.open()

    try {
      await this.attachNow(file, options)

      return await work()
    } finally {
      await file.release(options, true)
    }
  }

  /** As `attach`, for whoever edits the draft at this time. */
  async attachNow (file: DraftFile, options: AbortOptions): Promise<void> {
    const path = this.#pathOf(file)

    if (path !== undefined) {
      await this.#init.draft().attach(file, path, node => isStoredAs(file.entry, node), options)
      this.#unedited.delete(path)
      this.#version++
    }
  }

  #pathOf (file: DraftFile): string | undefined {
    for (const [path, other] of this.#unedited) {
      if (other === file) {
        return path
      }
    }
  }

  hold (file: DraftFile, bytes: number): void {
    const held = (this.#held.get(file) ?? 0) + bytes
    this.#heldBytes += bytes

    if (held > 0) {
      this.#held.set(file, held)
    } else {
      this.#held.delete(file)
    }
  }

  async relieve (options: AbortOptions): Promise<void> {
    const { budgetBytes } = this.#init
    // a draft that takes it all leaves files a share: else they would put each chunk at each write
    const filesBytes = Math.max(budgetBytes - this.#init.draft().heldBytes, budgetBytes / 4)

    for (const [file] of this.#held) {
      if (this.#heldBytes <= filesBytes) {
        return
      }

      await file.putChunks(options)
    }
  }

  opened (file: DraftFile): void {
    this.#open.add(file)
  }

  async closed (file: DraftFile, options: LimitOptions, isEditing: boolean): Promise<void> {
    this.#open.delete(file)
    const path = this.#pathOf(file)

    if (path !== undefined) {
      this.#unedited.delete(path)
      return
    }

    if (file.parent === undefined) {
      this.hold(file, -(this.#held.get(file) ?? 0))
      return
    }

    await file.store(options)

    // whoever edits the draft meanwhile may have found the file in it
    if (isEditing || this.#init.isIdle()) {
      this.#leaveEntry(file)
    }
  }

  /** Leaves in the draft what is stored of a file, in its place, where it is not open and has nothing else. */
  #leaveEntry (file: DraftFile): void {
    const { parent, name, entry } = file

    if (parent instanceof DraftDirectory && !file.isOpen && !file.isEdited && parent.changes.get(name) === file) {
      parent.set(name, { ...entry, name }, file.size)
      this.#version++
    }
  }

  /** What of the open files is stored and may not be in any tree. */
  * contents (): Generator<Content> {
    for (const file of [...this.#open, ...this.#init.draft().root.files(), ...this.#held.keys()]) {
      yield * file.contents()
    }
  }
}

function pathTo ({ name, parent }: FilePlace): string {
  return parent === undefined ? '/' : joinPath(pathTo(parent), name)
}
