import { never, readBracket } from './bracket.ts'
import type { Expression } from './automaton.ts'
import type { PatternLimits } from './limits.ts'

/** What a part of a pattern comes to. */
export interface Reading {
  readonly expression: Expression
  /** Whether it is more than a name */
  readonly isMagic: boolean
  /** The name that it is, where it is no more */
  readonly text: string
  readonly isUnicode: boolean
}

/** An expression, and what minimatch would write for it: where it begins and whether it is empty decides what is around it. */
interface Fragment extends Reading {
  readonly source: string
}

type Kind = '!' | '?' | '+' | '*' | '@'

// which groups within a group are as good as its own alternatives
const adopted: Readonly<Record<Kind, string>> = { '!': '@', '?': '?@', '@': '@', '*': '*+?@', '+': '+@' }
// the same, where nothing is one alternative more
const adoptedWithEmpty: Readonly<Partial<Record<Kind, string>>> = { '!': '?', '@': '?', '+': '?*' }
// of those, as minimatch counts how deep groups lie
const adoptedAtAll: Readonly<Record<Kind, string>> = { '!': '?@', '?': '?@', '@': '?@', '*': '*+?@', '+': '+@?*' }
// what a group with nothing but another group in it is
const merged: Readonly<Partial<Record<Kind, Readonly<Partial<Record<Kind, Kind>>>>>> = {
  '!': { '!': '@' },
  '?': { '*': '*', '+': '*' },
  '@': { '!': '!', '?': '?', '@': '@', '*': '*', '+': '+' },
  '+': { '?': '*', '*': '*' }
}
const maxGroups = 2
const maxRounds = 10
// each bracket may be the one that has no end, after all of the text was read
const unclosedCost = 32

const any: Expression = { kind: 'character', is: undefined }
const nothing: Expression = { kind: 'choice', of: [] }
const atEnd: Expression = { kind: 'check', check: 'end' }
const anyNumber: Expression = { kind: 'repeat', body: any, least: 0, isLoop: true }
const oneOrMore: Expression = { kind: 'repeat', body: any, least: 1, isLoop: true }

/**
 * Reads a part of a pattern, between two slashes, as the minimatch of Node does: what it makes a regular expression of is
 * made an `Expression` here, group by group. Tests hold one against the other.
 * Where `dot` is set, names that begin with a dot are found without one in the pattern.
 */
export function readPart (part: string, dot: boolean, limits: PatternLimits): Reading {
  const root = new Group(undefined, undefined, { dot, limits, negations: [], isFilled: false })
  parse(part, root, 0, 0, limits)
  root.flatten()
  root.fillNegations()

  return root.fragment()
}

interface Shared {
  readonly dot: boolean
  readonly limits: PatternLimits
  readonly negations: Group[]
  /** Whether what is behind negations stands in them as well */
  isFilled: boolean
}

/** A group such as `+(a|b)`, whose parts are its alternatives; or a sequence of text and groups. */
class Group {
  kind: Kind | undefined
  parts: Array<string | Group> = []
  /** Whether nothing at all is between its parentheses */
  isEmpty = false
  readonly #shared: Shared
  #parent: Group | undefined
  readonly #index: number

  constructor (kind: Kind | undefined, parent: Group | undefined, shared: Shared) {
    shared.limits.step()
    this.kind = kind
    this.#parent = parent
    this.#index = parent?.parts.length ?? 0
    this.#shared = shared

    if (kind === '!' && !shared.isFilled) {
      shared.negations.push(this)
    }
  }

  child (kind: Kind | undefined): Group {
    return new Group(kind, this, this.#shared)
  }

  push (...parts: ReadonlyArray<string | Group>): void {
    this.parts.push(...parts.filter(part => part !== ''))
  }

  adopts (kind: Kind): boolean {
    return this.kind !== undefined && adoptedAtAll[this.kind].includes(kind)
  }

  toString (): string {
    const parts = this.parts.map(String)

    return this.kind === undefined ? parts.join('') : `${this.kind}(${parts.join('|')})`
  }

  /** Takes groups in groups apart where that changes nothing. */
  flatten (): void {
    let isDone: boolean
    let rounds = 0

    do {
      isDone = true

      for (let i = 0; i < this.parts.length; i++) {
        const part = this.parts[i]

        if (typeof part === 'object') {
          part.flatten()
          isDone = !(this.kind !== undefined && this.#take(this.kind, part, i)) && isDone
        }
      }
    } while (!isDone && ++rounds < maxRounds)
  }

  #take (kind: Kind, part: Group, index: number): boolean {
    const [inner] = part.parts

    if (part.kind !== undefined || part.parts.length !== 1 || typeof inner !== 'object' || inner.kind === undefined) {
      return false
    }

    if (adopted[kind].includes(inner.kind)) {
      this.#adopt(inner, index)
      return true
    }

    if (adoptedWithEmpty[kind]?.includes(inner.kind) === true) {
      const blank = inner.child(undefined)
      blank.parts.push('')
      inner.push(blank)
      this.#adopt(inner, index)
      return true
    }

    const both = merged[kind]?.[inner.kind]

    if (both === undefined || this.parts.length !== 1) {
      return false
    }

    this.kind = both
    this.isEmpty = false
    // the same array: what is put behind a negation in it is put into this as well
    this.parts = inner.parts
    this.#own(this.parts)

    return true
  }

  #adopt (inner: Group, index: number): void {
    this.parts.splice(index, 1, ...inner.parts)
    this.#own(inner.parts)
  }

  #own (parts: ReadonlyArray<string | Group>): void {
    parts.forEach(part => {
      if (typeof part === 'object') {
        part.#parent = this
      }
    })
  }

  /** Puts what is behind a negation into it: `!(a)b` is whatever is not `ab`, followed by `b`. */
  fillNegations (): void {
    const { negations } = this.#shared
    this.#shared.isFilled = true

    for (let negation = negations.pop(); negation !== undefined; negation = negations.pop()) {
      if (negation.kind === '!') {
        negation.#fill()
      }
    }
  }

  #fill (): void {
    let inner: Group = this

    for (let outer = this.#parent; outer !== undefined; inner = outer, outer = outer.#parent) {
      for (let i = inner.#index + 1; outer.kind === undefined && i < outer.parts.length; i++) {
        for (const part of this.parts) {
          if (typeof part === 'object') {
            part.#copyIn(outer.parts[i])
          }
        }
      }
    }
  }

  #copyIn (part: string | Group): void {
    this.#shared.limits.step()
    this.push(typeof part === 'string' ? part : part.#clone(this))
  }

  #clone (parent: Group): Group {
    const copy = parent.child(this.kind)
    this.parts.forEach(part => { copy.#copyIn(part) })

    return copy
  }

  #isStart (): boolean {
    const parent = this.#parent

    if (parent === undefined) {
      return true
    }

    if (!parent.#isStart()) {
      return false
    }

    for (let i = 0; i < this.#index; i++) {
      const part = parent.parts[i]

      if (typeof part === 'string' || part.kind !== '!') {
        return false
      }
    }

    return true
  }

  #isEnd (): boolean {
    const parent = this.#parent

    return parent === undefined || parent.kind === '!' || (parent.#isEnd() && (this.kind === undefined || this.#index === parent.parts.length - 1))
  }

  fragment (allowDot?: boolean): Fragment {
    return this.kind === undefined ? this.#sequence(allowDot) : this.#group(this.kind, allowDot)
  }

  #sequence (allowDot: boolean | undefined): Fragment {
    const dot = allowDot ?? this.#shared.dot
    const [isStart, isEnd] = [this.#isStart(), this.#isEnd()]
    const isOne = isStart && isEnd && this.parts.every(part => typeof part === 'string')
    const fragments = this.parts.map(part => typeof part === 'string' ? readText(part, isOne, this.#shared.limits) : part.fragment(allowDot))
    const all = sequenceOf(fragments)
    const before: Fragment[] = []

    if (isStart && typeof this.parts[0] === 'string' && !(this.parts.length === 1 && /^\.\.?$/.test(this.parts[0]))) {
      if (/^\\\.(?:\\\.)?\[/.test(all.source) || (dot && all.source.startsWith('['))) {
        before.push(checkOf('no dots'))
      } else if (!dot && all.source.startsWith('[')) {
        before.push(checkOf('no dot'))
      }
    }

    const isNegated = isEnd && this.#parent?.kind === '!'

    return { ...sequenceOf([...before, all, ...(isNegated ? [checkOf('end')] : [])]), text: all.text }
  }

  #group (kind: Kind, allowDot: boolean | undefined): Fragment {
    const dot = allowDot ?? this.#shared.dot
    const [isStart, isEnd] = [this.#isStart(), this.#isEnd()]
    const body = this.#alternatives(dot)

    if (isStart && isEnd && body.source === '' && kind !== '!') {
      // alone it is text, as in Node, where it breaks what is beside it
      return this.#parent?.parts.length === 1 ? literal(String(this)) : { ...body, source: String(this) }
    }

    const { isUnicode } = body
    const withDots = (kind === '*' || kind === '+') && !dot ? this.#alternatives(true) : body
    const isBegin = isStart && !dot

    if (kind === '!') {
      const rest: Expression[] = [...(isBegin ? [checkOf('no dot').expression] : []), this.isEmpty ? oneOrMore : anyNumber]
      const expression: Expression = { kind: 'sequence', of: this.isEmpty ? rest : [{ kind: 'not ahead', body: body.expression }, ...rest] }

      return { source: this.isEmpty && !isBegin ? '[' : '(', expression, isMagic: true, text: '', isUnicode }
    }

    return {
      source: `(${kind}${body.source})`,
      expression: repetition(kind, body, withDots),
      isMagic: true,
      text: '',
      isUnicode: isUnicode || withDots.isUnicode
    }
  }

  #alternatives (dot: boolean): Fragment {
    const isWhole = this.#isStart() && this.#isEnd()
    const fragments = this.parts.flatMap(part => typeof part === 'object' ? [part.fragment(dot)] : [])
    const kept = fragments.filter(({ source }) => !isWhole || source !== '')

    return {
      source: kept.map(({ source }) => source).join('|'),
      expression: kept.length === 0 ? { kind: 'sequence', of: [] } : { kind: 'choice', of: kept.map(each => each.expression) },
      isMagic: true,
      text: '',
      isUnicode: fragments.some(each => each.isUnicode)
    }
  }
}

/** What a group stands for. Where it may be repeated, only the first time is at the beginning, where no asterisk stands for a dot. */
function repetition (kind: Kind, { expression: body, source }: Fragment, withDots: Fragment): Expression {
  if (kind === '@') {
    return body
  }

  if (kind === '?') {
    return { kind: 'repeat', body, least: 0, isLoop: false }
  }

  const least = kind === '+' ? 1 : 0

  if (withDots.source === source) {
    return { kind: 'repeat', body, least, isLoop: true }
  }

  const once: Expression = { kind: 'sequence', of: [body, { kind: 'repeat', body: withDots.expression, least: 0, isLoop: true }] }

  return least === 1 ? once : { kind: 'repeat', body: once, least: 0, isLoop: false }
}

function checkOf (check: 'no dot' | 'no dots' | 'end'): Fragment {
  return { source: `(${check})`, expression: check === 'end' ? atEnd : { kind: 'check', check }, isMagic: false, text: '', isUnicode: false }
}

function sequenceOf (fragments: readonly Fragment[]): Fragment {
  return {
    source: fragments.map(({ source }) => source).join(''),
    // in one row, where two units of a code point may come together
    expression: { kind: 'sequence', of: fragments.flatMap(({ expression }) => expression.kind === 'sequence' ? expression.of : [expression]) },
    isMagic: fragments.some(({ isMagic }) => isMagic),
    text: fragments.map(({ text }) => text).join(''),
    isUnicode: fragments.some(({ isUnicode }) => isUnicode)
  }
}

function literal (text: string): Fragment {
  return {
    source: text.replaceAll('.', '\\.').replaceAll('[', '\\['),
    expression: { kind: 'sequence', of: text.split('').map(is => ({ kind: 'character', is })) },
    isMagic: false,
    text,
    isUnicode: false
  }
}

/** Text without groups: asterisks, question marks, expressions in brackets, and characters. */
function readText (text: string, isWhole: boolean, limits: PatternLimits): Fragment {
  const fragments: Fragment[] = []
  const star = isWhole && /^\*+$/.test(text) ? oneOrMore : anyNumber

  const lastBracket = text.lastIndexOf(']')

  for (let at = 0; at < text.length; at++) {
    const bracket = text[at] === '[' && at < lastBracket ? readBracket(text, at) : undefined
    limits.read(bracket?.length === 0 ? unclosedCost * (text.length - at) : 1)
    limits.holdSteps(fragments.length)

    if (bracket !== undefined && bracket.length > 0) {
      fragments.push(fragmentOf(bracket.source, bracket.literal, bracket.isUnicode))
      at += bracket.length - 1
    } else if (text[at] === '?') {
      fragments.push({ source: '[', expression: any, isMagic: true, text: '', isUnicode: false })
    } else if (text[at] !== '*') {
      fragments.push(literal(text[at]))
    } else if (text[at - 1] !== '*' || at === 0) {
      fragments.push({ source: '[', expression: star, isMagic: true, text: '', isUnicode: false })
    }
  }

  return sequenceOf(fragments)
}

function fragmentOf (source: string, text: string | undefined, isUnicode: boolean): Fragment {
  if (text !== undefined) {
    return literal(text)
  }

  return { source, expression: source === never ? nothing : characterOf(source, isUnicode), isMagic: true, text: '', isUnicode }
}

function characterOf (source: string, isUnicode: boolean): Expression {
  try {
    return { kind: 'character', is: new RegExp(`^${source}$`, isUnicode ? 'u' : '') }
  } catch (err) {
    if (err instanceof SyntaxError) {
      // a range that ends before it begins
      return nothing
    }

    throw err
  }
}

/** Reads text and groups into a group from a place on, and returns where it ended. */
function parse (pattern: string, group: Group, begin: number, groups: number, limits: PatternLimits, depth = 0): number {
  limits.enter(depth)
  const isRoot = group.kind === undefined
  const alternatives: Group[] = []
  let alternative = isRoot ? group : group.child(undefined)
  let text = ''

  for (let at = isRoot ? begin : begin + 1; at < pattern.length;) {
    const character = pattern[at++]

    if (character === '[') {
      const behind = behindBracket(pattern, at)
      text += pattern.slice(at - 1, behind)
      at = behind
    } else if (pattern[at] === '(' && isKind(character) && (groups <= maxGroups || group.adopts(character))) {
      alternative.push(text)
      text = ''
      const inner = alternative.child(character)
      alternative.push(inner)
      at = parse(pattern, inner, at, groups + (group.adopts(character) ? 0 : 1), limits, depth + 1)
    } else if (character === '|' && !isRoot) {
      alternative.push(text)
      text = ''
      alternatives.push(alternative)
      alternative = group.child(undefined)
    } else if (character === ')' && !isRoot) {
      group.isEmpty = text === '' && group.parts.length === 0
      alternative.push(text)
      group.push(...alternatives, alternative)

      return at
    } else {
      text += character
    }
  }

  if (isRoot) {
    group.push(text)
  } else {
    // it has no end, and is text from its beginning on
    group.kind = undefined
    group.parts = [pattern.slice(begin - 1)]
  }

  return pattern.length
}

/** Where what is in brackets ends: the first of it is in it also where it is a bracket. */
function behindBracket (pattern: string, begin: number): number {
  const isNegated = pattern[begin] === '^' || pattern[begin] === '!'
  const close = pattern.indexOf(']', begin + (isNegated ? 2 : 1))

  return close === -1 ? pattern.length : close + 1
}

function isKind (character: string): character is Kind {
  return '!?+*@'.includes(character)
}
