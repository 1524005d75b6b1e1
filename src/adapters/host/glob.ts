/** Whether a name is what a pattern says. */
export type NameMatch = (name: string) => boolean

/** The same for the names of a path. */
export type PathMatch = (names: readonly string[]) => boolean

/** One character: what it is, or a test; undefined for any. */
type Character = string | CharacterClass | undefined

interface CharacterClass {
  readonly isNegated: boolean
  /** First and last code of each */
  readonly ranges: ReadonlyArray<readonly [number, number]>
}

/** Of a pattern: a character, a run of asterisks, or a slash, which may have been quoted. */
type Token =
  | { readonly kind: 'character', readonly is: Character }
  | { readonly kind: 'stars', readonly count: number }
  | { readonly kind: 'slash', readonly isQuoted: boolean }

/** Any number of names. */
interface AnyNames {
  readonly atLeast: 0 | 1
}

const special = /[*?[\\]/

/**
 * Compiles a pattern as git's `wildmatch` reads it, for names without slashes. It never tries a place of a name twice for the
 * same part of the pattern: what is between two asterisks is best looked for as far in front as it can be.
 */
export function compileName (pattern: string): NameMatch {
  if (!special.test(pattern)) {
    return name => name === pattern
  }

  const tokens = tokenize(pattern)

  return tokens === undefined ? never : matchOfTokens(tokens)
}

/** The same for a path: between slashes, two asterisks stand for any number of names, of which what follows is looked for in the same way. */
export function compileIgnoreGlob (pattern: string): PathMatch {
  const plainLength = pattern.search(special)

  if (plainLength === -1) {
    const plain = pattern.split('/')

    return names => names.length === plain.length && plain.every((name, i) => name === names[i])
  }

  const tokens = tokenize(pattern.slice(plainLength))

  if (tokens === undefined) {
    return never
  }

  const parts = toParts(tokens)
  // where the last of them is not whole, git takes two asterisks behind it as if they were between slashes
  const plain = pattern.slice(0, plainLength).split('/')
  const begun = plain.length - 1
  const beginning = plain[begun]

  return names => {
    if (names.length <= begun || !names[begun].startsWith(beginning)) {
      return false
    }

    for (let i = 0; i < begun; i++) {
      if (names[i] !== plain[i]) {
        return false
      }
    }

    return matchParts(parts, [names[begun].slice(beginning.length), ...names.slice(begun + 1)])
  }
}

function never (): boolean {
  return false
}

function matchParts (parts: ReadonlyArray<NameMatch | AnyNames>, names: readonly string[]): boolean {
  let part = 0
  let name = 0
  let open: { readonly part: number, next: number } | undefined

  while (name < names.length) {
    const wanted = parts.at(part)

    if (typeof wanted === 'object') {
      open = { part: part + 1, next: name + wanted.atLeast }
      part++
      name = open.next
    } else if (wanted?.(names[name]) === true) {
      part++
      name++
    } else if (open !== undefined) {
      // one more name is among those that may be any
      open.next++
      part = open.part
      name = open.next
    } else {
      return false
    }
  }

  return part === parts.length
}

function toParts (tokens: readonly Token[]): Array<NameMatch | AnyNames> {
  const parts: Array<NameMatch | AnyNames> = []
  let part: Token[] = []

  for (const token of [...tokens, undefined]) {
    if (token !== undefined && token.kind !== 'slash') {
      part.push(token)
      continue
    }

    const [first] = part
    const isAnyNames = part.length === 1 && first.kind === 'stars' && first.count > 1
    parts.push(isAnyNames ? { atLeast: token?.isQuoted === true ? 1 : 0 } : matchOfTokens(part))
    part = []
  }

  return parts
}

/** Characters in a row, as a string where each is itself. */
type Piece = string | readonly Character[]

function matchOfTokens (tokens: readonly Token[]): NameMatch {
  const [first, ...others] = toPieces(tokens)
  const last = others.pop()

  if (last === undefined) {
    return name => name.length === first.length && isAt(first, name, 0)
  }

  return name => {
    const end = name.length - last.length

    if (end < first.length || !isAt(first, name, 0) || !isAt(last, name, end)) {
      return false
    }

    let from = first.length

    for (const piece of others) {
      const found = find(piece, name, from, end)

      if (found === -1) {
        return false
      }

      from = found + piece.length
    }

    return true
  }
}

/** What is between asterisks, before the first and behind the last. */
function toPieces (tokens: readonly Token[]): Piece[] {
  const pieces: Character[][] = [[]]

  for (const token of tokens) {
    if (token.kind === 'stars') {
      pieces.push([])
    } else if (token.kind === 'character') {
      pieces[pieces.length - 1].push(token.is)
    }
  }

  return pieces.map(piece => piece.every(character => typeof character === 'string') ? piece.join('') : piece)
}

function find (piece: Piece, name: string, from: number, end: number): number {
  if (typeof piece === 'string') {
    const found = name.indexOf(piece, from)

    return found + piece.length > end ? -1 : found
  }

  for (let at = from; at + piece.length <= end; at++) {
    if (isAt(piece, name, at)) {
      return at
    }
  }

  return -1
}

function isAt (piece: Piece, name: string, at: number): boolean {
  return typeof piece === 'string' ? name.startsWith(piece, at) : piece.every((character, i) => isCharacter(character, name, at + i))
}

function isCharacter (character: Character, name: string, at: number): boolean {
  if (typeof character !== 'object') {
    return character === undefined || name[at] === character
  }

  const code = name.charCodeAt(at)

  return character.ranges.some(([first, last]) => first <= code && code <= last) !== character.isNegated
}

/** Returns undefined for a pattern that nothing matches: an expression in brackets, or a backslash, has no end. */
function tokenize (pattern: string): Token[] | undefined {
  const tokens: Token[] = []

  for (let at = 0; at < pattern.length; at++) {
    switch (pattern[at]) {
      case '*': {
        const begin = at

        while (pattern[at + 1] === '*') {
          at++
        }

        tokens.push({ kind: 'stars', count: at + 1 - begin })
        break
      }
      case '?':
        tokens.push({ kind: 'character', is: undefined })
        break
      case '/':
        tokens.push({ kind: 'slash', isQuoted: false })
        break
      case '\\':
        at++

        if (at === pattern.length) {
          return
        }

        tokens.push(pattern[at] === '/' ? { kind: 'slash', isQuoted: true } : { kind: 'character', is: pattern[at] })
        break
      case '[': {
        const found = readClass(pattern, at)

        if (found === undefined) {
          return
        }

        tokens.push({ kind: 'character', is: found.class })
        at = found.end
        break
      }
      default:
        tokens.push({ kind: 'character', is: pattern[at] })
    }
  }

  return tokens
}

// as git has them, which knows ASCII alone; what they have between two characters each
const classes: Readonly<Record<string, ReadonlyArray<readonly [number, number]>>> = {
  alnum: ranges('09', 'AZ', 'az'),
  alpha: ranges('AZ', 'az'),
  blank: ranges('  ', '\t\t'),
  cntrl: ranges('\0\x1f', '\x7f\x7f'),
  digit: ranges('09'),
  graph: ranges('!~'),
  lower: ranges('az'),
  print: ranges(' ~'),
  punct: ranges('!/', ':@', '[`', '{~'),
  space: ranges('  ', '\t\n', '\r\r'),
  upper: ranges('AZ'),
  xdigit: ranges('09', 'AF', 'af')
}

/** What is between two characters each, which are of one code unit. */
function ranges (...pairs: readonly string[]): ReadonlyArray<readonly [number, number]> {
  return pairs.map(pair => [pair.charCodeAt(0), pair.charCodeAt(1)])
}

/** Reads an expression in brackets that begins there, member by member as git does, and says where it ends. */
function readClass (pattern: string, begin: number): { readonly class: CharacterClass, readonly end: number } | undefined {
  const members: Array<readonly [number, number]> = []
  const isNegated = pattern[begin + 1] === '!' || pattern[begin + 1] === '^'
  const first = begin + (isNegated ? 2 : 1)
  // that of a member with which a range may begin
  let from: number | undefined
  let close = 0
  let at = first

  // the first is a member also where it is a bracket
  while (pattern[at] !== ']' || at === first) {
    if (pattern.startsWith('[:', at)) {
      // looked for once: there may be as many of these as there are characters
      close = close < at + 2 ? pattern.indexOf(']', at + 2) : close

      if (close > at + 2 && pattern[close - 1] === ':') {
        const name = pattern.slice(at + 2, close - 1)

        if (!Object.hasOwn(classes, name)) {
          return
        }

        members.push(...classes[name])
        at = close + 1
        from = undefined
        continue
      }

      if (close === -1) {
        return
      }
    }

    const isRange = pattern[at] === '-' && from !== undefined && at + 1 < pattern.length && pattern[at + 1] !== ']'
    at += isRange ? 1 : 0
    at += pattern[at] === '\\' ? 1 : 0

    if (at >= pattern.length) {
      return
    }

    const code = pattern.charCodeAt(at)
    members.push([isRange && from !== undefined ? from : code, code])
    from = isRange ? undefined : code
    at++
  }

  return { class: { isNegated, ranges: members }, end: at }
}
