import type { PatternLimits } from './limits.ts'

// what braces were and are no more; a pattern that holds a NUL stands for nothing
const open = '\0o'
const close = '\0c'

/**
 * The patterns that a pattern with braces stands for, in order, as the brace expansion of minimatch has them.
 *
 * @throws {InvalidOptionError} where they are too many, or take too long to find
 */
export function expandBraces (pattern: string, limits: PatternLimits): readonly string[] {
  if (!/\{(?:(?!\{).)*\}/.test(pattern) || pattern.includes('\0')) {
    return [pattern]
  }

  const text = pattern.startsWith('{}') ? `${open}${close}${pattern.slice(2)}` : pattern

  return [...new Set(expand(text, true, limits).map(each => each.replaceAll(open, '{').replaceAll(close, '}')))]
}

function expand (given: string, isTop: boolean, limits: PatternLimits, depth = 0): readonly string[] {
  limits.enter(depth)
  let text = given
  let found: readonly string[] = ['']
  let dropsEmpty = false
  let isFirst = true
  let isWhole = isTop

  for (;;) {
    limits.read(text.length)
    const group = findGroup(text)

    if (group === undefined) {
      return combine(found, text, [''], dropsEmpty, limits)
    }

    const { before, body, behind } = group
    const isLast = behind === ''

    if (before.endsWith('$')) {
      found = combine(found, `${before}{${body}}`, [''], dropsEmpty && isLast, limits)
      isFirst = false
    } else {
      const range = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$|^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/.exec(body)

      if (range === null && !body.includes(',')) {
        if (hasMore(behind)) {
          text = `${before}{${body}${close}${behind}`
          isWhole = true
          continue
        }

        return combine(found, text, [''], dropsEmpty, limits)
      }

      if (isFirst) {
        dropsEmpty = isWhole && range === null
        isFirst = false
      }

      const values = range === null ? alternativesOf(body, limits, depth) : rangeOf(range, limits)

      found = combine(found, before, values, dropsEmpty && isLast, limits)
    }

    if (isLast) {
      return found
    }

    text = behind
  }
}

/** What stands between braces, expanded; where that is one pattern, the braces stay. */
function alternativesOf (body: string, limits: PatternLimits, depth: number): readonly string[] {
  const parts = splitAtCommas(body, limits)
  const values: string[] = []
  let length = 0

  if (parts.length === 1) {
    const inner = expand(parts[0], false, limits, depth + 1).map(each => `{${each}}`)

    if (inner.length === 1) {
      return inner
    }

    parts.splice(0, 1, ...inner)
  }

  for (const part of parts) {
    for (const value of expandPart(part, limits, depth)) {
      values.push(value)
      length += value.length
    }

    limits.holdAlternatives(values, length)
  }

  return values
}

function expandPart (part: string, limits: PatternLimits, depth: number): readonly string[] {
  return part.includes('{') ? expand(part, false, limits, depth + 1) : [part]
}

/** The parts between the commas that are not within braces. */
function splitAtCommas (body: string, limits: PatternLimits): string[] {
  const parts = ['']
  let text = body

  for (;;) {
    limits.read(text.length)
    const group = findGroup(text)
    const [first, ...others] = (group?.before ?? text).split(',')
    parts[parts.length - 1] += first
    others.forEach(each => parts.push(each))

    if (group === undefined) {
      return parts
    }

    parts[parts.length - 1] += `{${group.body}}`

    if (group.behind === '') {
      return parts
    }

    text = group.behind
  }
}

function rangeOf ([, first, last, step, firstLetter, lastLetter, letterStep]: RegExpExecArray, limits: PatternLimits): string[] {
  const isOfLetters = first === undefined
  const [from, to] = isOfLetters ? [firstLetter.charCodeAt(0), lastLetter.charCodeAt(0)] : [Number.parseInt(first, 10), Number.parseInt(last, 10)]
  const by = Math.max(Math.abs(Number.parseInt((isOfLetters ? letterStep : step) ?? '1', 10)), 1)
  const width = isOfLetters ? 0 : Math.max(first.length, last.length)
  const isPadded = !isOfLetters && [first, last, step].some(each => each !== undefined && /^-?0\d/.test(each))
  const values: string[] = []
  let length = 0

  for (let i = 0; i <= Math.abs(to - from); i += by) {
    const number = to < from ? from - i : from + i
    const value = isOfLetters ? letterOf(number) : padded(number, isPadded ? width : 0)
    values.push(value)
    length += value.length
    limits.holdAlternatives(values, length)
  }

  return values
}

/** Between the capitals and the others stands a backslash, which would quote what is next. */
function letterOf (code: number): string {
  const letter = String.fromCharCode(code)

  return letter === '\\' ? '' : letter
}

function padded (number: number, width: number): string {
  const sign = number < 0 ? '-' : ''

  return sign + String(Math.abs(number)).padStart(width - sign.length, '0')
}

function combine (found: readonly string[], before: string, values: readonly string[], dropsEmpty: boolean, limits: PatternLimits): string[] {
  const combined: string[] = []
  let length = 0

  for (const each of found) {
    for (const value of values) {
      const text = each + before + value

      if (text !== '' || !dropsEmpty) {
        combined.push(text)
        length += text.length
        limits.holdAlternatives(combined, length)
      }
    }
  }

  return combined
}

/** Whether a comma that is no comma's neighbour stands before a brace that closes, as the brace expansion looks for it. */
function hasMore (text: string): boolean {
  let isBeforeBrace = false

  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === '}') {
      isBeforeBrace = true
    } else if ('\n\r\u2028\u2029'.includes(text[at])) {
      isBeforeBrace = false
    } else if (text[at] === ',' && isBeforeBrace && text[at + 1] !== ',') {
      return true
    }
  }

  return false
}

/** The first braces that belong together; where some are open for good, the innermost that do. */
function findGroup (text: string): { readonly before: string, readonly body: string, readonly behind: string } | undefined {
  const begun: number[] = []
  let best: readonly [begin: number, end: number] | undefined
  let opening = text.indexOf('{')
  let closing = text.indexOf('}', opening + 1)

  if (opening === -1 || closing === -1) {
    return
  }

  for (let at = opening; at >= 0;) {
    if (at === opening) {
      begun.push(at)
      opening = text.indexOf('{', at + 1)
    } else {
      const begin = begun.pop()

      if (begin !== undefined && begun.length === 0) {
        return groupAt(text, begin, closing)
      }

      if (begin !== undefined && (best === undefined || begin < best[0])) {
        best = [begin, closing]
      }

      closing = text.indexOf('}', at + 1)
    }

    at = opening !== -1 && opening < closing ? opening : closing
  }

  return best === undefined ? undefined : groupAt(text, ...best)
}

function groupAt (text: string, begin: number, end: number): { readonly before: string, readonly body: string, readonly behind: string } {
  return { before: text.slice(0, begin), body: text.slice(begin + 1, end), behind: text.slice(end + 1) }
}
