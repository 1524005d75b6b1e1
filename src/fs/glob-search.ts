import { anyNames } from '../glob/index.ts'
import type { Alternative, PatternPart } from '../glob/index.ts'

const none: ReadonlySet<never> = new Set()

/** A pattern, and the parts of it that an entry of a directory may be. */
export class GlobSearch {
  readonly #parts: readonly PatternPart[]
  readonly #keys: readonly number[]
  readonly indexes: ReadonlySet<number>
  /** Of the indexes, those whose `**` came through a link: it goes no further */
  readonly links: ReadonlySet<number>
  /** The directories on the way, where links are followed */
  readonly realPaths: ReadonlySet<string>

  private constructor (parts: readonly PatternPart[], keys: readonly number[], indexes: Iterable<number>, links: ReadonlySet<number>, realPaths: ReadonlySet<string>) {
    this.#parts = parts
    this.#keys = keys
    this.indexes = new Set(indexes)
    this.links = links
    this.realPaths = realPaths
  }

  static all (alternatives: readonly Alternative[]): GlobSearch[] {
    const ids = new Map<string, number>()

    return alternatives.map(({ parts, texts }) => new GlobSearch(parts, keysOf(texts, ids), [0], none, none))
  }

  child (indexes: Iterable<number>, links: ReadonlySet<number> = none, realPaths = this.realPaths): GlobSearch {
    return new GlobSearch(this.#parts, this.#keys, indexes, links, realPaths)
  }

  get last (): number {
    return this.#parts.length - 1
  }

  part (index: number): PatternPart | undefined {
    return this.#parts[index]
  }

  /** The same number for the same rest of any pattern */
  key (index: number): number {
    return this.#keys[index] ?? 0
  }

  isLast (isDirectory: boolean): boolean {
    const { last } = this

    return this.indexes.has(last) || (isDirectory && this.part(last) === '' && this.part(last - 1) === anyNames && this.indexes.has(last - 1))
  }

  /** Whether something of it goes on behind a link. */
  mayPassLink (): boolean {
    return [...this.indexes].some(index => !this.links.has(index))
  }

  /** The name that is looked for, where it is one. */
  onlyName (): string | undefined {
    const [first] = this.indexes
    const part = this.indexes.size === 1 ? this.part(first) : undefined

    return typeof part === 'string' ? part : undefined
  }
}

/** A number for what is left of a pattern from each part on; 0 for nothing. */
function keysOf (texts: readonly string[], ids: Map<string, number>): number[] {
  const keys: number[] = Array(texts.length)

  for (let i = texts.length - 1; i >= 0; i--) {
    const isLast = i === texts.length - 1
    const rest = isLast ? texts[i] : `${texts[i]}/${keys[i + 1]}`
    const key = rest === '' ? 0 : ids.get(rest) ?? ids.size + 1

    if (key !== 0) {
      ids.set(rest, key)
    }

    keys[i] = key
  }

  return keys
}
