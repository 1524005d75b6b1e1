import { InvalidOptionError } from '../errors.ts'

/** As in Node */
export const maxPatternLength = 65_536
/** Node goes on with the first 100,000 of them and leaves the rest out */
export const maxAlternatives = 10_000
const maxAlternativesLength = 2 ** 20
// a name of 255 characters is held against one of these in some 40 ms at most
const maxPartSteps = 8_192
const maxSteps = 2 ** 16
const maxReading = 2 ** 23
/** Each level is a call */
const maxDepth = 100

/** A pattern, and how much of what it costs to read and to match is left. */
export class PatternLimits {
  readonly #pattern: string
  readonly #option: string
  #steps = maxSteps
  #partSteps = maxPartSteps
  #reading = maxReading

  /**
   * @throws {InvalidOptionError} where the pattern is too long
   */
  constructor (pattern: string, option: string) {
    this.#pattern = pattern
    this.#option = option

    if (pattern.length > maxPatternLength) {
      this.refuse(`is longer than ${maxPatternLength} characters`)
    }
  }

  /** To be called with the characters that are read for each step of what may be read again and again. */
  read (characters: number): void {
    this.#reading -= characters

    if (this.#reading < 0) {
      this.refuse('takes too long to read')
    }
  }

  holdAlternatives (alternatives: readonly unknown[], length: number): void {
    if (alternatives.length > maxAlternatives || length > maxAlternativesLength) {
      this.refuse(`stands for more than ${maxAlternatives} patterns, or ${maxAlternativesLength} characters of them`)
    }
  }

  beginPart (): void {
    this.#partSteps = maxPartSteps
  }

  /** To be called for each step of what a name is held against. */
  step (): void {
    this.#steps--
    this.#partSteps--

    if (this.#steps < 0 || this.#partSteps < 0) {
      this.refuse('asks for too much of each name')
    }
  }

  /** To be called with how many steps a part has at least. */
  holdSteps (steps: number): void {
    if (steps > maxPartSteps) {
      this.refuse('asks for too much of each name')
    }
  }

  enter (depth: number): void {
    if (depth > maxDepth) {
      this.refuse(`nests more than ${maxDepth} groups`)
    }
  }

  refuse (reason: string): never {
    const shown = this.#pattern.length > 80 ? `${this.#pattern.slice(0, 80)}…` : this.#pattern

    throw new InvalidOptionError(this.#option, `holds a pattern that ${reason}: ${JSON.stringify(shown)}. Give several shorter patterns`)
  }
}
