import { anyNames } from './part.ts'
import { readPattern } from './pattern.ts'
import type { NameTest } from './automaton.ts'
import type { PatternPart } from './part.ts'
import type { PatternOptions } from './pattern.ts'

export interface PathTestOptions extends PatternOptions {
  /** Hold patterns of one part against the last name of a path, as Node's `watch` does. Default: false */
  readonly matchBase?: boolean
}

/**
 * Compiles a pattern to a test of whole paths. A path costs its length times that of the pattern at most.
 *
 * @throws {InvalidOptionError} where the pattern stands for too much
 */
export function compileGlob (pattern: string, options: PathTestOptions): NameTest {
  const alternatives = readPattern(pattern, options)
  const { dot = false, matchBase = false } = options

  if (pattern === '') {
    return path => path === ''
  }

  return path => {
    const names = namesOf(path)
    const base = [names.findLast(name => name !== '') ?? '']

    return alternatives.some(({ parts }) => isFound(parts, matchBase && parts.length === 1 ? base : names, dot))
  }
}

function namesOf (path: string): string[] {
  const names: string[] = []

  for (const [i, name] of path.split(/\/+/).entries()) {
    const last = names.at(-1)

    if (name === '..' && last !== undefined && !['', '.', '..'].includes(last)) {
      names.pop()
    } else if (name !== '.' || i === 0) {
      names.push(name)
    }
  }

  return names.length === 0 ? [''] : names
}

/** Goes through the names with the set of all parts that may be next. */
function isFound (parts: readonly PatternPart[], names: readonly string[], dot: boolean): boolean {
  const last = parts.length - 1
  let next = new Set<number>()

  const reach = (set: Set<number>, part: number): void => {
    set.add(part)

    // no name at all is any number of names, but not at the end
    if (parts[part] === anyNames && part < last) {
      set.add(part + 1)
    }
  }

  reach(next, 0)

  for (const [i, name] of names.entries()) {
    // a slash at the end of a path changes nothing
    if (next.size === 0 || (next.has(parts.length) && name === '' && i === names.length - 1)) {
      return next.size > 0
    }

    const behind = new Set<number>()

    for (const part of next) {
      if (part <= last && parts[part] === anyNames) {
        if (isAnyName(name, dot)) {
          reach(behind, part)
          reach(behind, part === last ? parts.length : part)
        }
      } else if (part <= last && isPart(parts[part], name)) {
        reach(behind, part + 1)
      }
    }

    next = behind
  }

  return next.has(parts.length)
}

function isAnyName (name: string, dot: boolean): boolean {
  return name !== '.' && name !== '..' && (dot || !name.startsWith('.'))
}

/** Whether a part is the name, or stands for it. */
export function isPart (part: PatternPart | undefined, name: string): boolean {
  return part === anyNames || (typeof part === 'function' ? part(name) : part === name)
}
