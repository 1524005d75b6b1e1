import { compile } from './automaton.ts'
import { readPart } from './extglob.ts'
import type { NameTest } from './automaton.ts'
import type { PatternLimits } from './limits.ts'

/** What `**` stands for */
export const anyNames = Symbol('any names')

/** Of a pattern, between slashes: a name, any number of names, or a test of one. */
export type PatternPart = string | NameTest | typeof anyNames

const magic = /[*?[]|[+@!]\(/
// most patterns are of this kind
const oneStar = /^([^*?[\]+@!()]*)\*+([^*?[\]+@!()]*)$/

/** Compiles a part of a pattern. */
export function compilePart (part: string, dot: boolean, limits: PatternLimits): PatternPart {
  limits.beginPart()

  if (part === '**') {
    return anyNames
  }

  if (!magic.test(part)) {
    return part
  }

  const star = oneStar.exec(part)

  if (star !== null) {
    return starTest(star[1], star[2], dot)
  }

  const { expression, isMagic, isUnicode, text } = readPart(part, dot, limits)

  return isMagic ? compile(expression, isUnicode, limits) : text
}

function starTest (begin: string, end: string, dot: boolean): NameTest {
  const least = Math.max(1, begin.length + end.length)
  const isFirst = begin === ''

  return name => name.length >= least && name.endsWith(end) && name.startsWith(begin) &&
    !(isFirst && !dot && name.startsWith('.')) && name !== '.' && name !== '..'
}
