import { expandBraces } from './braces.ts'
import { PatternLimits } from './limits.ts'
import { compilePart } from './part.ts'
import type { PatternPart } from './part.ts'

/** One of what a pattern stands for, part by part. */
export interface Alternative {
  readonly parts: readonly PatternPart[]
  /** The parts as they are written */
  readonly texts: readonly string[]
}

export interface PatternOptions {
  /** The option that errors are to name */
  readonly option: string
  /** Find names that begin with a dot without one in the pattern. Default: false */
  readonly dot?: boolean
}

// above it none is looked for that another one has in it: each is held against each
const maxCompared = 512

/**
 * Reads a pattern as Node does for `glob`: on Windows and elsewhere a backslash is a slash, `!` and `#` at the beginning have no
 * meaning, and `.`, `..` and slashes that change nothing are left out.
 *
 * @throws {InvalidOptionError} where it stands for too much
 */
export function readPattern (pattern: string, { option, dot = false }: PatternOptions): readonly Alternative[] {
  const limits = new PatternLimits(pattern, option)
  const read = new Map<string, PatternPart>()

  const partOf = (text: string): PatternPart => {
    const part = read.get(text) ?? compilePart(text, dot, limits)
    read.set(text, part)

    return part
  }

  return alternativesOf(pattern, dot, limits).map(texts => ({ texts, parts: texts.map(partOf) }))
}

function alternativesOf (pattern: string, dot: boolean, limits: PatternLimits): string[][] {
  if (pattern === '') {
    return []
  }

  const expanded = expandBraces(pattern.replaceAll('\\', '/'), limits).map(each => each.split(/\/+/))

  return withoutRepeats(shorten(expanded, limits), dot)
}

/** Leaves out of each what does not change where it leads. What may lead to two places is made two. */
function shorten (alternatives: string[][], limits: PatternLimits): string[][] {
  let isChanged: boolean

  do {
    isChanged = false

    // grows as it is gone through
    for (const parts of alternatives) {
      limits.read(parts.length)
      joinAnyNames(parts)
      isChanged = divideAboveParent(parts, alternatives, limits) || isChanged
      isChanged = dropEmpty(parts, limits) || isChanged
      isChanged = dropParents(parts, limits) || isChanged
    }
  } while (isChanged)

  return alternatives
}

function joinAnyNames (parts: string[]): void {
  const kept = parts.filter((part, i) => part !== '**' || parts[i - 1] !== '**')
  parts.splice(0, parts.length, ...kept)
}

/** `** /../a/b`, without the space, is as good as `../a/b` and `** /a/b`. */
function divideAboveParent (parts: string[], alternatives: string[][], limits: PatternLimits): boolean {
  const isName = (part: string | undefined): boolean => part !== undefined && !['', '.', '..'].includes(part)
  let isChanged = false

  for (let at = parts.indexOf('**'); at !== -1; at = parts.indexOf('**', at + 1)) {
    if (parts[at + 1] !== '..' || !isName(parts[at + 2]) || !isName(parts[at + 3])) {
      continue
    }

    isChanged = true
    parts.splice(at, 1)
    alternatives.push(parts.with(at, '**'))
    limits.holdAlternatives(alternatives, alternatives.reduce((sum, each) => sum + each.length, 0))
    limits.read(alternatives.length + parts.length)
    at--
  }

  return isChanged
}

function dropEmpty (parts: string[], limits: PatternLimits): boolean {
  const isRoot = parts[0] === '' && parts[1] === ''
  const kept = parts.filter((part, i) => i === 0 || i === parts.length - 1 || (i === 1 && isRoot) || (part !== '.' && part !== ''))
  const isDot = kept.length === 2 && kept[0] === '.' && (kept[1] === '.' || kept[1] === '')
  const isChanged = kept.length < parts.length || isDot
  limits.read(parts.length)
  parts.splice(0, parts.length, ...isDot ? ['.'] : kept)

  return isChanged
}

function dropParents (parts: string[], limits: PatternLimits): boolean {
  let isChanged = false

  for (let at = parts.indexOf('..', 1); at !== -1; at = parts.indexOf('..', Math.max(at, 0) + 1)) {
    if (['', '.', '..', '**'].includes(parts[at - 1])) {
      continue
    }

    isChanged = true
    limits.read(parts.length)
    // without a dot, what is found would not be a way down from there
    parts.splice(at - 1, 2, ...at === 1 && parts[at + 1] === '**' ? ['.'] : [])

    if (parts.length === 0) {
      parts.push('')
    }

    at -= 2
  }

  return isChanged
}

/** Leaves out what another one finds as well. */
function withoutRepeats (alternatives: string[][], dot: boolean): string[][] {
  if (alternatives.length > maxCompared) {
    return alternatives
  }

  for (let i = 0; i < alternatives.length - 1; i++) {
    for (let j = i + 1; j < alternatives.length; j++) {
      const both = commonOf(alternatives[i], alternatives[j], dot)

      if (both !== undefined) {
        alternatives[i] = []
        alternatives[j] = both
        break
      }
    }
  }

  return alternatives.filter(parts => parts.length > 0)
}

/** What finds all that two find, where one of the two does so part by part. */
function commonOf (a: readonly string[], b: readonly string[], dot: boolean): string[] | undefined {
  const common: string[] = []
  const isFoundByStar = (part: string): boolean => part !== '' && (dot || !part.startsWith('.')) && part !== '**'
  let wider: 'a' | 'b' | undefined
  let i = 0
  let j = 0

  while (i < a.length && j < b.length) {
    const [partA, partB] = [a[i], b[j]]

    if (partA === partB) {
      common.push(partA)
      i++
      j++
    } else if (partA === '**' && partB === a[i + 1]) {
      common.push(partA)
      i++
    } else if (partB === '**' && partA === b[j + 1]) {
      common.push(partB)
      j++
    } else if (partA === '*' && isFoundByStar(partB) && wider !== 'b') {
      wider = 'a'
      common.push(partA)
      i++
      j++
    } else if (partB === '*' && isFoundByStar(partA) && wider !== 'a') {
      wider = 'b'
      common.push(partB)
      i++
      j++
    } else {
      return
    }
  }

  return a.length === b.length ? common : undefined
}
