/** An expression in brackets, as minimatch reads it: the source of a regular expression for one character. */
export interface Bracket {
  readonly source: string
  /** The character, where it can be only one */
  readonly literal?: string
  /** Whether characters are code points */
  readonly isUnicode: boolean
  /** How many characters of the pattern it takes; 0 where it has no end */
  readonly length: number
}

// what stands for them in a class, and whether it is what they do not have
const classes: ReadonlyArray<readonly [name: string, source: string, isUnicode: boolean, isInverse?: boolean]> = [
  ['[:alnum:]', '\\p{L}\\p{Nl}\\p{Nd}', true],
  ['[:alpha:]', '\\p{L}\\p{Nl}', true],
  ['[:ascii:]', '\\x00-\\x7f', false],
  ['[:blank:]', '\\p{Zs}\\t', true],
  ['[:cntrl:]', '\\p{Cc}', true],
  ['[:digit:]', '\\p{Nd}', true],
  ['[:graph:]', '\\p{Z}\\p{C}', true, true],
  ['[:lower:]', '\\p{Ll}', true],
  ['[:print:]', '\\p{C}', true],
  ['[:punct:]', '\\p{P}', true],
  ['[:space:]', '\\p{Z}\\t\\r\\n\\v\\f', true],
  ['[:upper:]', '\\p{Lu}', true],
  ['[:word:]', '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}', true],
  ['[:xdigit:]', 'A-Fa-f0-9', false]
]

const none: Bracket = { source: '', isUnicode: false, length: 0 }

/** Source that nothing matches */
export const never = '$.'

/** Reads the expression that begins at a bracket of a pattern. */
export function readBracket (pattern: string, begin: number): Bracket {
  const members: string[] = []
  const inverse: string[] = []
  const isNegated = pattern[begin + 1] === '!' || pattern[begin + 1] === '^'
  const first = begin + (isNegated ? 2 : 1)
  let isUnicode = false
  /** The beginning of a range whose end comes next */
  let from: string | undefined
  let at = first

  while (pattern[at] !== ']' || at === first) {
    if (at >= pattern.length) {
      return none
    }

    const known = classAt(pattern, at)

    if (known !== undefined) {
      const [name, source, isOfUnicode, isInverse = false] = known

      if (from !== undefined) {
        return { source: never, isUnicode: false, length: pattern.length - begin }
      }

      (isInverse ? inverse : members).push(source)
      isUnicode ||= isOfUnicode
      at += name.length
      continue
    }

    const character = pattern[at]

    if (from !== undefined) {
      members.push(...rangeOf(from, character))
      from = undefined
      at++
    } else if (pattern.startsWith('-]', at + 1)) {
      members.push(quoted(`${character}-`))
      at += 2
    } else if (pattern[at + 1] === '-') {
      from = character
      at += 2
    } else {
      members.push(quoted(character))
      at++
    }
  }

  return bracketOf(members, inverse, isNegated, isUnicode, at + 1 - begin, pattern.length - begin)
}

function classAt (pattern: string, at: number): typeof classes[number] | undefined {
  return pattern.startsWith('[:', at) ? classes.find(([name]) => pattern.startsWith(name, at)) : undefined
}

function bracketOf (members: readonly string[], inverse: readonly string[], isNegated: boolean, isUnicode: boolean, length: number, rest: number): Bracket {
  if (members.length === 0 && inverse.length === 0) {
    return { source: never, isUnicode: false, length: rest }
  }

  if (inverse.length === 0 && members.length === 1 && !isNegated && /^\\?.$/.test(members[0])) {
    const literal = members[0].slice(-1)

    return { source: literal, literal, isUnicode: false, length }
  }

  const sources = [
    ...(members.length === 0 ? [] : [`[${isNegated ? '^' : ''}${members.join('')}]`]),
    ...(inverse.length === 0 ? [] : [`[${isNegated ? '' : '^'}${inverse.join('')}]`])
  ]

  return { source: sources.length === 1 ? sources[0] : `(${sources.join('|')})`, isUnicode, length }
}

function rangeOf (from: string, to: string): string[] {
  if (to > from) {
    return [`${quoted(from)}-${quoted(to)}`]
  }

  return to === from ? [quoted(to)] : []
}

function quoted (text: string): string {
  return text.replace(/[[\]\\-]/g, '\\$&')
}
