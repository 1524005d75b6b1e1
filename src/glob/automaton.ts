import type { PatternLimits } from './limits.ts'

/** Whether a name, or a path, is what a pattern says. */
export type NameTest = (name: string) => boolean

/** One character: itself, an expression for one character, or undefined for any. */
export type Character = string | RegExp | undefined

/** What can hold at a place of a name without a character being read */
export type Check = 'no dot' | 'no dots' | 'end'

/** A regular expression. What a lookahead leads to ends with the name. */
export type Expression =
  | { readonly kind: 'character', readonly is: Character }
  | { readonly kind: 'sequence' | 'choice', readonly of: readonly Expression[] }
  | { readonly kind: 'repeat', readonly body: Expression, readonly least: 0 | 1, readonly isLoop: boolean }
  | { readonly kind: 'check', readonly check: Check }
  | { readonly kind: 'not ahead', readonly body: Expression }

/** A way into a state, from one that it is reached from at once or through a character. */
interface Way {
  readonly from: number
  readonly is?: Character
  readonly guard?: Check | Automaton
}

interface Automaton {
  readonly start: number
  /** Whether it may end anywhere; elsewhere with the name */
  readonly isAhead: boolean
  readonly atOnce: readonly Way[][]
  readonly byCharacter: readonly Way[][]
  readonly ahead: readonly Automaton[]
}

// of each automaton
const end = 0

/**
 * Compiles an expression to a test of whole names. It keeps the set of all states that lead to the end, from the last
 * character to the first, so that a name costs its length times that of the expression at most.
 * A character is a code point where `isUnicode` is set, and a unit of UTF-16 elsewhere.
 */
export function compile (expression: Expression, isUnicode: boolean, limits: PatternLimits): NameTest {
  const automaton = new Builder(isUnicode, limits).build(expression, false)
  const least = leastLength(expression)

  return name => {
    if (name.length < least) {
      return false
    }

    return placesOf(automaton, isUnicode ? Array.from(name) : name.split(''))[0] === 1
  }
}

/** From which places on the rest of a name is what an automaton says: 1 for each such place. */
function placesOf (automaton: Automaton, name: readonly string[]): Uint8Array {
  const { start, isAhead, atOnce, byCharacter } = automaton
  const ahead = new Map(automaton.ahead.map(each => [each, placesOf(each, name)]))
  const places = new Uint8Array(name.length + 1)
  // the place at which a state was last found to lead to the end, counted from 1
  const foundAt = new Uint32Array(atOnce.length)
  let behind: number[] = []

  for (let place = name.length; place >= 0; place--) {
    const found: number[] = []

    const reach = (state: number): void => {
      if (foundAt[state] !== place + 1) {
        foundAt[state] = place + 1
        found.push(state)
      }
    }

    if (isAhead || place === name.length) {
      reach(end)
    }

    for (const state of behind) {
      for (const { from, is } of byCharacter[state]) {
        if (is === undefined || (typeof is === 'string' ? is === name[place] : is.test(name[place]))) {
          reach(from)
        }
      }
    }

    // grows as it is gone through
    for (const state of found) {
      for (const { from, guard } of atOnce[state]) {
        if (guard === undefined || (typeof guard === 'string' ? holds(guard, name, place) : ahead.get(guard)?.[place] === 0)) {
          reach(from)
        }
      }
    }

    places[place] = foundAt[start] === place + 1 ? 1 : 0
    behind = found
  }

  return places
}

function holds (check: Check, name: readonly string[], place: number): boolean {
  switch (check) {
    case 'end':
      return place === name.length
    case 'no dot':
      return name[place] !== '.'
    default:
      return place > 0 || name.length === 0 || name.length > 2 || name.some(character => character !== '.')
  }
}

class Builder {
  readonly #isUnicode: boolean
  readonly #limits: PatternLimits
  readonly #atOnce: Way[][] = [[]]
  readonly #byCharacter: Way[][] = [[]]
  readonly #ahead: Automaton[] = []

  constructor (isUnicode: boolean, limits: PatternLimits) {
    this.#isUnicode = isUnicode
    this.#limits = limits
  }

  build (expression: Expression, isAhead: boolean): Automaton {
    const start = this.#lead(expression, end)

    return { start, isAhead, atOnce: this.#atOnce, byCharacter: this.#byCharacter, ahead: this.#ahead }
  }

  /** Makes the states of an expression that is followed by a state, and returns the first of them. */
  #lead (expression: Expression, next: number): number {
    switch (expression.kind) {
      case 'character': {
        const state = this.#state()
        this.#byCharacter[next].push({ from: state, is: expression.is })

        return state
      }
      case 'sequence':
        return this.#charactersOf(expression.of).reduceRight((to, each) => this.#lead(each, to), next)
      case 'choice': {
        const state = this.#state()
        expression.of.forEach(each => { this.#link(state, this.#lead(each, next)) })

        return state
      }
      case 'repeat': {
        const state = this.#state()
        const body = this.#lead(expression.body, expression.isLoop ? state : next)
        this.#link(state, body)
        this.#link(state, next)

        return expression.least === 0 ? state : body
      }
      case 'check': {
        const state = this.#state()
        this.#link(state, next, expression.check)

        return state
      }
      default: {
        const state = this.#state()
        const body = new Builder(this.#isUnicode, this.#limits).build(expression.body, true)
        this.#ahead.push(body)
        this.#link(state, next, body)

        return state
      }
    }
  }

  #state (): number {
    this.#limits.step()
    this.#byCharacter.push([])

    return this.#atOnce.push([]) - 1
  }

  #link (from: number, to: number, guard?: Check | Automaton): void {
    this.#atOnce[to].push({ from, guard })
  }

  /** Code points where two units stand for one. */
  #charactersOf (expressions: readonly Expression[]): readonly Expression[] {
    if (!this.#isUnicode) {
      return expressions
    }

    const joined: Expression[] = []

    for (const each of expressions) {
      const last = joined.at(-1)
      const pair = last?.kind === 'character' && each.kind === 'character' ? `${String(last.is)}${String(each.is)}` : ''

      if (/^[\ud800-\udbff][\udc00-\udfff]$/.test(pair)) {
        joined.splice(-1, 1, { kind: 'character', is: pair })
      } else {
        joined.push(each)
      }
    }

    return joined
  }
}

/** Units of UTF-16 that a name needs at least, or fewer. */
function leastLength (expression: Expression): number {
  switch (expression.kind) {
    case 'character':
      return 1
    case 'sequence':
      return expression.of.reduce((sum, each) => sum + leastLength(each), 0)
    case 'choice':
      return expression.of.reduce((least, each) => Math.min(least, leastLength(each)), Infinity)
    case 'repeat':
      return expression.least === 0 ? 0 : leastLength(expression.body)
    default:
      return 0
  }
}
