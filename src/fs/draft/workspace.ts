import pLimit from 'p-limit'
import { throwIfAborted, untilAborted } from '../../abort.ts'
import { openRoot } from '../../tree/index.ts'
import { ChangeEmitter } from './change-emitter.ts'
import { Draft } from './draft.ts'
import { isStoredAs } from './file.ts'
import { OpenFiles } from './open-files.ts'
import type { ChangeType } from './change-emitter.ts'
import type { DraftDirectory, StoredDraftFile } from './directory.ts'
import type { BaseRoot, DraftContext } from './draft.ts'
import type { LimitOptions, ReadOptions } from '../../budget.ts'
import type { FileEntry, Time } from '../../codec/index.ts'
import type { DirectoryRoot } from '../../directory/index.ts'
import type { FileLayout } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeDirectory, TreeNode } from '../../tree/index.ts'
import type { CID } from 'multiformats/cid'

export interface WorkspaceInit extends DraftContext {
  /** Finds the tree to begin with, an empty directory where there is none, and its layout */
  begin(options: AbortOptions): Promise<{ readonly layout: FileLayout, readonly tree: CID | undefined }>
  /** Does some work that stores content and makes it part of the draft then, maybe after a commit */
  storing<T>(work: () => Promise<T>): Promise<T>
  /** Does some work, once more where it fails for blocks of the draft that were deleted and could be put again */
  restoring<T>(work: () => Promise<T>, options: AbortOptions): Promise<T>
  /** The time to record for changes; none is recorded without */
  readonly now: (() => Time) | undefined
}

/** Where the draft goes on, and what is to be done once it does. */
export interface Move <T> {
  readonly root: BaseRoot
  moved(): T
}

/**
 * The one mutable thing: the present draft, the files that are open, and the lock that lets one edit happen at a time.
 */
export class Workspace {
  readonly #init: WorkspaceInit
  readonly #limit = pLimit(1)
  readonly changes = new ChangeEmitter()
  readonly files: OpenFiles
  #draft: Draft | undefined
  #layout: FileLayout | undefined

  constructor (init: WorkspaceInit) {
    this.#init = init
    this.files = new OpenFiles({
      blocks: init.blocks,
      changes: this.changes,
      layout: () => this.layout,
      budgetBytes: init.budgetBytes,
      now: () => this.now(),
      draft: () => this.draft,
      isIdle: () => this.#isIdle,
      exclusively: async edit => this.#limit(edit)
    })
  }

  get blocks (): WorkspaceInit['blocks'] {
    return this.#init.blocks
  }

  /** How files become blocks, which is known once the draft was opened. */
  get layout (): FileLayout {
    if (this.#layout === undefined) {
      throw new Error('the draft was not opened')
    }

    return this.#layout
  }

  /** Blocks that may be in no tree and must stay: what open files consist of. */
  * held (): Generator<CID> {
    for (const content of this.#draft === undefined ? [] : this.files.contents()) {
      if (!(content instanceof Uint8Array)) {
        yield content
      }
    }
  }

  /** The draft, which must have been opened. */
  get draft (): Draft {
    if (this.#draft === undefined) {
      throw new Error('the draft was not opened')
    }

    return this.#draft
  }

  now (): Time | undefined {
    return this.#init.now?.()
  }

  /** Does some work that stores content and makes it part of the draft then, maybe after a commit. */
  async storing <T> (work: () => Promise<T>): Promise<T> {
    return this.#init.storing(work)
  }

  /** The root of the tree as it is now, for reading. */
  async root (options: AbortOptions): Promise<DraftDirectory> {
    return (await this.open(options)).root
  }

  async open (options: AbortOptions): Promise<Draft> {
    if (this.#draft === undefined) {
      const { layout, tree } = await this.#init.begin(options)
      const base = await this.#base(tree, options)
      // another call may have been first
      this.#layout ??= layout
      this.#draft ??= Draft.over(this.#init, base)
    }

    return this.#draft
  }

  async #base (root: CID | undefined, options: AbortOptions): Promise<{ cid: CID, size: number } | undefined> {
    if (root !== undefined) {
      const { size } = await openRoot(this.#init.blocks, root, options)

      return { cid: root, size }
    }
  }

  /** The draft where it can be edited at once: nobody else does, and it is within its budget. */
  get idleDraft (): Draft | undefined {
    return this.#isIdle && this.#draft?.holdsTooMuch() === false ? this.#draft : undefined
  }

  get #isIdle (): boolean {
    return this.#limit.activeCount === 0 && this.#limit.pendingCount === 0
  }

  /** Edits the draft while nobody else does. */
  async edit <T> (edit: (draft: Draft) => Promise<T> | T, options: AbortOptions = {}): Promise<T> {
    return this.#alone(options, async () => {
      const draft = await this.open(options)
      const result = await edit(draft)
      await draft.spill(options)

      return result
    })
  }

  /**
   * Stores the draft and begins a new one over what it was stored as. Where the storing or `publish` fails, the draft
   * stays what it is. It is tried again where that was for blocks that were deleted and could be put again.
   */
  async commit <T> (publish: (root: DirectoryRoot) => Promise<T> | T, options: LimitOptions): Promise<T> {
    return this.#alone(options, async () => {
      const draft = await this.open(options)
      const { root, files, published } = await this.#init.restoring(async () => {
        const stored = await draft.store(options)

        return { ...stored, published: await publish(stored.root) }
      }, options)
      const next = Draft.over(this.#init, root)
      await next.reattach(files, {})
      this.#draft = next

      return published
    })
  }

  /** Stores the draft, which goes on as it is. */
  async store (options: AbortOptions): Promise<DirectoryRoot> {
    return this.#alone(options, async () => (await (await this.open(options)).store(options)).root)
  }

  /**
   * Stores the draft and begins a new one over another tree, which `make` makes of what it was stored as. Where that
   * fails, the draft stays what it is. Files that are open go on under their paths where these lead to the same in the
   * other tree; else no path leads to them any more. Those who watch are told what differs.
   */
  async moveTo <T> (make: (root: DirectoryRoot) => Promise<Move<T>>, options: ReadOptions): Promise<T> {
    return this.#alone(options, async () => {
      const draft = await this.open(options)
      const { root, files } = await draft.store({ signal: options.signal })
      const { root: other, moved } = await make(root)
      const differences = await this.#differences(root, other, options)
      const next = Draft.over(this.#init, other)
      const isSame = async (path: string, entry: FileEntry): Promise<boolean> => isSameFile(next.root, path, entry, options)
      const kept: StoredDraftFile[] = []

      for (const stored of files) {
        if (await isSame(stored.path, stored.entry)) {
          kept.push(stored)
        }
      }

      const unedited = await this.files.uneditedIn(isSame)
      await next.reattach(kept, {})
      this.files.keep(unedited)
      files.filter(stored => !kept.includes(stored)).forEach(({ file }) => { file.parent = undefined })
      this.#draft = next
      const result = moved()
      differences.forEach(([type, path]) => { this.changes.tell(type, path) })

      return result
    })
  }

  /** Does what nobody else edits beside. Whoever is aborted while he waits for others is told so at once. */
  async #alone <T> ({ signal }: AbortOptions, work: () => Promise<T>): Promise<T> {
    if (signal === undefined) {
      return this.#limit(work)
    }

    const turn = Promise.withResolvers<void>()
    const done = this.#limit(async () => {
      turn.resolve()
      throwIfAborted(signal)

      return work()
    })
    // whoever was aborted does not wait for it
    done.catch(() => {})
    await untilAborted(turn.promise, signal)

    return done
  }

  /** What those who watch are to be told of where another tree takes the place of one. */
  async #differences (before: BaseRoot, after: BaseRoot, options: ReadOptions): Promise<Array<[ChangeType, string]>> {
    if (!this.changes.isWatched) {
      return []
    }

    const { changesBetween } = await import('./changes-between.ts')

    return changesBetween(this.blocks, before.cid, after.cid, options)
  }
}

/** Whether a path, which has no links on it, leads to a file with this content and these attributes. */
async function isSameFile (root: TreeDirectory, path: string, entry: FileEntry, options: AbortOptions): Promise<boolean> {
  let node: TreeNode | undefined = root

  for (const name of path.split('/').slice(1)) {
    node = node?.kind === 'directory' ? await node.view.find(name, options) : undefined
  }

  return isStoredAs(entry, node)
}
