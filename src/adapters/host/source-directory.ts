import fs from 'node:fs'
import { SourceChangedError } from '../../errors.ts'
import type { HostPlace } from './racy-window.ts'

/**
 * A directory of the source on the way of a walk. Files are opened by their paths, and a link that has come into the place of
 * a directory leads such a path to files of somebody else: what was read is taken only where all directories on its path still
 * are what they were.
 */
export class SourceDirectory {
  readonly #hostPath: string
  /** The one that it is in; undefined for the source itself, which a link may name */
  readonly #outer: SourceDirectory | undefined
  /** What it was when it was first looked at; null where that was no directory */
  #seen: Pick<fs.BigIntStats, 'dev' | 'ino'> | null | undefined
  /** When it was last what it had been */
  #intactAt = -Infinity

  constructor (hostPath: string, outer?: SourceDirectory) {
    this.#hostPath = hostPath
    this.#outer = outer
  }

  /** Where what is in it stands */
  get place (): HostPlace {
    return { dev: this.#seen?.dev, directory: this.#hostPath }
  }

  /** Looks what it is, and those that it is in, where nobody has done so. */
  note (): void {
    if (this.#seen === undefined) {
      this.#outer?.note()
      this.#intactAt = performance.now()
      this.#seen = this.#look() ?? null
    }
  }

  /** Whether it, and those that it is in, are what they were first, at that time or later: what was looked at since is not looked at again. */
  isIntact (since: number): boolean {
    this.note()

    if (this.#outer?.isIntact(since) === false || this.#seen === null) {
      return false
    }

    if (this.#intactAt < since) {
      const now = performance.now()
      const found = this.#look()

      if (found === undefined || found.ino !== this.#seen?.ino || found.dev !== this.#seen.dev) {
        return false
      }

      this.#intactAt = now
    }

    return true
  }

  #look (): fs.BigIntStats | undefined {
    try {
      const found = this.#outer === undefined ? fs.statSync(this.#hostPath, { bigint: true }) : fs.lstatSync(this.#hostPath, { bigint: true })

      return found.isDirectory() ? found : undefined
    } catch {
      // gone, or out of reach: nothing can have been read through it that is to be taken
      return undefined
    }
  }
}

/** Says of what is at a path that nobody knows what was read there. */
export function exchanged (hostPath: string): SourceChangedError {
  return new SourceChangedError('a directory was replaced while its content was imported', { path: hostPath })
}
