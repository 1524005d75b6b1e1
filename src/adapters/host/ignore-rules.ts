import path from 'node:path'
import { UnsupportedEntryError } from '../../errors.ts'
import { IgnorePatterns } from './ignore-patterns.ts'
import { readHostFile } from './read-host-file.ts'
import type { Refuse } from './refuse.ts'

export interface IgnoreOptions {
  readonly hidden: boolean
  readonly ignore: readonly string[]
  readonly ignoreFiles: readonly string[]
}

// far more rules than anybody writes: all that are above an entry are asked about it, in one turn of the event loop
export const maxRulesBytes = 2 ** 16

const byteOrderMark = '\ufeff'

interface Scope {
  /** The directory that the patterns are relative to, as segments from the directory that is imported */
  readonly depth: number
  readonly patterns: IgnorePatterns
  /** Of its ignore files and those above it */
  readonly bytes: number
}

/**
 * Decides what an import leaves out. Rules nest as in git: a directory's ignore file is asked before those above it.
 */
export class IgnoreRules {
  readonly #options: IgnoreOptions
  readonly #scopes: readonly Scope[]

  constructor (options: IgnoreOptions, scopes: readonly Scope[] = options.ignore.length === 0 ? [] : [{ depth: 0, patterns: new IgnorePatterns(options.ignore.map(withoutLineEnd)), bytes: 0 }]) {
    this.#options = options
    this.#scopes = scopes
  }

  /** The rules within a directory, which may have ignore files of its own; `has` says which of the names are files. */
  within (hostDirectory: string, depth: number, has: (name: string) => boolean, refuse: Refuse): IgnoreRules {
    const present = this.#options.ignoreFiles.filter(has)

    if (present.length === 0) {
      return this
    }

    let bytes = this.#scopes.at(-1)?.bytes ?? 0
    const lines = present.flatMap(name => {
      const rules = readRules(path.join(hostDirectory, name), maxRulesBytes - bytes, refuse)
      bytes += rules.byteLength

      return toLines(rules)
    })

    return new IgnoreRules(this.#options, [...this.#scopes, { depth, patterns: new IgnorePatterns(lines), bytes }])
  }

  /** Whether the entry with these segments is left out. */
  ignores (segments: readonly string[], isDirectory: boolean): boolean {
    if (!this.#options.hidden && segments[segments.length - 1].startsWith('.')) {
      return true
    }

    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const { depth, patterns } = this.#scopes[i]
      const isIgnored = patterns.ignores(segments, depth, isDirectory)

      if (isIgnored !== undefined) {
        return isIgnored
      }
    }

    return false
  }
}

/** Git skips a byte order mark as well. */
function toLines (rules: Uint8Array): string[] {
  const text = Buffer.from(rules).toString('utf8')

  return (text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text).split('\n').map(withoutLineEnd)
}

function withoutLineEnd (line: string): string {
  return line.replace(/\r?\n?$/, '')
}

/** What could have been exchanged for a link or a pipe since it was listed is not followed and not waited for. */
function readRules (file: string, maxBytes: number, refuse: Refuse): Uint8Array {
  try {
    // also an empty one is read as if it had a byte
    const { bytes } = readHostFile(file, length => length > Math.max(1, maxBytes) ? undefined : Buffer.alloc(length))

    if (bytes === undefined) {
      throw new UnsupportedEntryError(`the ignore files of a directory and its parents must be files of at most ${maxRulesBytes} bytes together`, { path: file })
    }

    return bytes
  } catch (err) {
    refuse(err, file)

    return new Uint8Array()
  }
}
