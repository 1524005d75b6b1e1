import path from 'node:path'
import ignore from 'ignore'
import { UnsupportedEntryError } from '../../errors.ts'
import { readHostFile } from './read-host-file.ts'
import type { Refuse } from './refuse.ts'
import type { Ignore } from 'ignore'

export interface IgnoreOptions {
  readonly hidden: boolean
  readonly ignore: readonly string[]
  readonly ignoreFiles: readonly string[]
}

// far more rules than anybody writes; all of them are asked about every entry
const maxRulesBytes = 2 ** 20

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

  /** The rules within a directory, which may have ignore files of its own; `has` says which of the names are files. */
  within (hostDirectory: string, depth: number, has: (name: string) => boolean, refuse: Refuse): IgnoreRules {
    const present = this.#options.ignoreFiles.filter(has)

    if (present.length === 0) {
      return this
    }

    const patterns = ignore().add(present.map(name => readRules(path.join(hostDirectory, name), refuse)).join('\n'))

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

/** What could have been exchanged for a link or a pipe since it was listed is not followed and not waited for. */
function readRules (file: string, refuse: Refuse): string {
  try {
    const { bytes } = readHostFile(file, length => length > maxRulesBytes ? undefined : Buffer.alloc(length))

    if (bytes === undefined) {
      throw new UnsupportedEntryError(`an ignore file must be a file of at most ${maxRulesBytes} bytes`, { path: file })
    }

    return Buffer.from(bytes).toString('utf8')
  } catch (err) {
    refuse(err, file)

    return ''
  }
}
