import { compileIgnoreGlob, compileName } from './glob.ts'
import type { PathMatch, NameMatch } from './glob.ts'

interface Rule {
  /** Whether what matches is taken after all */
  readonly isNegated: boolean
  readonly isOfDirectories: boolean
  /** Asked about the last name alone */
  readonly ofName?: NameMatch
  /** Asked about all names, where the pattern has several */
  readonly ofPath?: PathMatch
}

/**
 * Patterns of one directory, in the syntax of .gitignore. What they cost is bounded by the bytes of the patterns times those
 * of the path, whatever they are: sources are not trusted.
 *
 * Nobody asks about what is in a directory that is left out, so that a pattern decides about what it names alone.
 */
export class IgnorePatterns {
  readonly #rules: readonly Rule[]

  /**
   * @param lines - each a pattern, a comment, or nothing
   */
  constructor (lines: readonly string[]) {
    // the last one that matches decides
    this.#rules = lines.flatMap(line => toRule(line) ?? []).reverse()
  }

  /**
   * Whether an entry is left out; undefined where no pattern says so or the contrary.
   *
   * @param names - those on the way to it
   * @param depth - how many of them lead to the directory
   * @param isDirectory - whether the entry is one
   */
  ignores (names: readonly string[], depth: number, isDirectory: boolean): boolean | undefined {
    const name = names[names.length - 1]
    let below: readonly string[] | undefined

    for (const { isNegated, isOfDirectories, ofName, ofPath } of this.#rules) {
      if (isOfDirectories && !isDirectory) {
        continue
      }

      if (ofName === undefined ? ofPath?.(below ??= names.slice(depth)) : ofName(name)) {
        return !isNegated
      }
    }
  }
}

function toRule (line: string): Rule | undefined {
  if (line.startsWith('#')) {
    return
  }

  const trimmed = trimSpaces(line)
  const isNegated = trimmed.startsWith('!')
  const positive = isNegated ? trimmed.slice(1) : trimmed
  const isOfDirectories = positive.endsWith('/')
  const pattern = isOfDirectories ? positive.slice(0, -1) : positive

  if (pattern === '') {
    return
  }

  return pattern.includes('/')
    ? { isNegated, isOfDirectories, ofPath: compileIgnoreGlob(pattern.startsWith('/') ? pattern.slice(1) : pattern) }
    : { isNegated, isOfDirectories, ofName: compileName(pattern) }
}

/** Spaces at the end are none of a pattern, unless they are quoted with a backslash. */
function trimSpaces (line: string): string {
  let end = 0

  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\') {
      i++
      end = i + 1
    } else if (line[i] !== ' ') {
      end = i + 1
    }
  }

  return line.slice(0, end)
}
