import fs from 'node:fs'
import path from 'node:path'
import ignore from 'ignore'
import type { Ignore } from 'ignore'

export interface IgnoreOptions {
  readonly hidden: boolean
  readonly ignore: readonly string[]
  readonly ignoreFiles: readonly string[]
}

interface Scope {
  /** The directory that the patterns are relative to, as segments from the directory that is imported */
  readonly depth: number
  readonly patterns: Ignore
}

/**
 * Decides what an import leaves out. Rules nest as in git: a directory's ignore file is asked before those above it.
 */
export class IgnoreRules {
  readonly #options: IgnoreOptions
  readonly #scopes: readonly Scope[]

  constructor (options: IgnoreOptions, scopes: readonly Scope[] = options.ignore.length === 0 ? [] : [{ depth: 0, patterns: ignore().add([...options.ignore]) }]) {
    this.#options = options
    this.#scopes = scopes
  }

  /** The rules within a directory, which may have ignore files of its own. */
  within (hostDirectory: string, depth: number, has: (name: string) => boolean): IgnoreRules {
    const present = this.#options.ignoreFiles.filter(has)

    if (present.length === 0) {
      return this
    }

    const patterns = ignore().add(present.map(name => fs.readFileSync(path.join(hostDirectory, name), 'utf8')).join('\n'))

    return new IgnoreRules(this.#options, [...this.#scopes, { depth, patterns }])
  }

  /** Whether the entry with these segments is left out. */
  ignores (segments: readonly string[], isDirectory: boolean): boolean {
    if (!this.#options.hidden && segments[segments.length - 1].startsWith('.')) {
      return true
    }

    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const { depth, patterns } = this.#scopes[i]
      const { ignored, unignored } = patterns.test(segments.slice(depth).join('/') + (isDirectory ? '/' : ''))

      if (ignored || unignored) {
        return ignored
      }
    }

    return false
  }
}
