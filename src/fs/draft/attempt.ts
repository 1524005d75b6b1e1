import { bytesBelow } from './directory.ts'
import type { Change, DraftDirectory } from './directory.ts'
import type { DraftFile } from './file.ts'
import type { Attributes } from '../../codec/index.ts'

/** A step that can be taken back, and done again after that. */
interface Step {
  undo(): void
  redo(): void
}

/**
 * What takes edits back that are to be done as a whole or not at all. Recorded is what was there before; what is in a
 * directory that came with these edits goes with it.
 */
export class DraftAttempt {
  readonly #made = new WeakSet<DraftDirectory>()
  #steps: Step[] = []
  /** The draft as it was, from when a part of it was stored: what is stored cannot be taken back */
  #frozen: { readonly root: DraftDirectory, readonly files: ReadonlyArray<{ file: DraftFile, parent: DraftDirectory, size: number }> } | undefined

  constructor (root: DraftDirectory) {
    // nothing but these edits is in it
    if (root.changes.size === 0) {
      this.freeze(root)
    }
  }

  #isNeeded (directory: DraftDirectory): boolean {
    return this.#frozen === undefined && !this.#made.has(directory)
  }

  /** A directory was opened that was not a part of the draft before. */
  made (directory: DraftDirectory): void {
    this.#made.add(directory)
  }

  /** A name is about to change. */
  record (directory: DraftDirectory, name: string, change: Change | undefined, bytes: number): void {
    if (this.#isNeeded(directory)) {
      this.#steps.push(new NameStep(directory, name, change, bytes))
    }
  }

  recordAttributes (directory: DraftDirectory): void {
    if (this.#isNeeded(directory)) {
      this.#steps.push(new AttributesStep(directory))
    }
  }

  /** A part of the draft is about to be stored: from here on a copy of what it was is kept in place of steps. */
  freeze (root: DraftDirectory): void {
    if (this.#frozen !== undefined) {
      return
    }

    this.#undo()
    const files: Array<{ file: DraftFile, parent: DraftDirectory, size: number }> = []
    this.#frozen = { root: root.clone((file, parent) => files.push({ file, parent, size: file.size })), files }
    this.#steps.forEach(step => { step.redo() })
    this.#steps = []
  }

  /** Takes all edits back; returns the root that the draft has then. */
  rollBack (root: DraftDirectory): DraftDirectory {
    if (this.#frozen === undefined) {
      this.#undo()
      return root
    }

    for (const { file, parent, size } of this.#frozen.files) {
      file.parent = parent
      parent.grow(file.size - size)
    }

    return this.#frozen.root
  }

  #undo (): void {
    this.#steps.toReversed().forEach(step => { step.undo() })
  }
}

class NameStep implements Step {
  readonly #directory: DraftDirectory
  readonly #name: string
  readonly #before: Change | undefined
  readonly #bytesBefore: number
  #after: Change | undefined

  constructor (directory: DraftDirectory, name: string, change: Change | undefined, bytes: number) {
    this.#directory = directory
    this.#name = name
    this.#before = change
    this.#bytesBefore = bytes
  }

  undo (): void {
    this.#after = this.#directory.changes.get(this.#name)
    // without a change, what is stored stands again
    this.#directory.set(this.#name, this.#before, bytesBelow(this.#after) - (this.#before === undefined ? this.#bytesBefore : 0))
  }

  redo (): void {
    this.#directory.set(this.#name, this.#after ?? null, this.#before === undefined ? this.#bytesBefore : bytesBelow(this.#before))
  }
}

class AttributesStep implements Step {
  readonly #directory: DraftDirectory
  #attributes: Attributes | undefined

  constructor (directory: DraftDirectory) {
    this.#directory = directory
    this.#attributes = directory.attributes
  }

  undo (): void {
    const { attributes } = this.#directory
    this.#directory.attributes = this.#attributes
    this.#attributes = attributes
  }

  redo (): void {
    this.undo()
  }
}
