import path from 'node:path'
import ignore from 'ignore'
import { UnsupportedEntryError } from '../../errors.ts'
import { readHostFile } from './read-host-file.ts'
import type { Refuse } from './refuse.ts'
import type { Ignore, TestResult } from 'ignore'

export interface IgnoreOptions {
  readonly hidden: boolean
  readonly ignore: readonly string[]
  readonly ignoreFiles: readonly string[]
}

// far more rules than anybody writes; all of them are asked about every entry
export const maxRulesBytes = 2 ** 20

// the answers that are kept for these take some 16 MB
const maxTests = 100_000
const byteOrderMark = '\ufeff'

interface Scope {
  /** The directory that the patterns are relative to, as segments from the directory that is imported */
  readonly depth: number
  readonly patterns: Patterns
}

/**
 * Decides what an import leaves out. Rules nest as in git: a directory's ignore file is asked before those above it.
 */
export class IgnoreRules {
  readonly #options: IgnoreOptions
  readonly #scopes: readonly Scope[]

  constructor (options: IgnoreOptions, scopes: readonly Scope[] = options.ignore.length === 0 ? [] : [{ depth: 0, patterns: new Patterns(options.ignore) }]) {
    this.#options = options
    this.#scopes = scopes
  }

  /** The rules within a directory, which may have ignore files of its own; `has` says which of the names are files. */
  within (hostDirectory: string, depth: number, has: (name: string) => boolean, refuse: Refuse): IgnoreRules {
    const present = this.#options.ignoreFiles.filter(has)

    if (present.length === 0) {
      return this
    }

    const patterns = new Patterns(present.map(name => readRules(path.join(hostDirectory, name), refuse)).join('\n'))

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

/** Patterns of one directory. What matches them keeps its answer for every path, so that it is made anew now and then. */
class Patterns {
  readonly #patterns: string | readonly string[]
  #ignore: Ignore
  #tests = 0

  constructor (patterns: string | readonly string[]) {
    this.#patterns = patterns
    this.#ignore = compile(patterns)
  }

  test (below: string): TestResult {
    if (this.#tests === maxTests) {
      this.#ignore = compile(this.#patterns)
      this.#tests = 0
    }

    this.#tests++

    return this.#ignore.test(below)
  }
}

/** Case counts, as for git on Linux: what is imported must not depend on the host. */
function compile (patterns: string | readonly string[]): Ignore {
  return ignore({ ignorecase: false }).add(patterns)
}

/** What could have been exchanged for a link or a pipe since it was listed is not followed and not waited for. */
function readRules (file: string, refuse: Refuse): string {
  try {
    const { bytes } = readHostFile(file, length => length > maxRulesBytes ? undefined : Buffer.alloc(length))

    if (bytes === undefined) {
      throw new UnsupportedEntryError(`an ignore file must be a file of at most ${maxRulesBytes} bytes`, { path: file })
    }

    const rules = Buffer.from(bytes).toString('utf8')

    // git skips it as well
    return rules.startsWith(byteOrderMark) ? rules.slice(byteOrderMark.length) : rules
  } catch (err) {
    refuse(err, file)

    return ''
  }
}
