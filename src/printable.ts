/**
 * Quotes a name or path for people. Control characters and the marks that turn the direction of text are escaped: a
 * name out of a foreign tree must not be able to rewrite the line of a terminal that it is printed on.
 */
export function printable (text: string): string {
  return `'${escaped(text)}'`
}

/** Text in which nothing can rewrite the line that it is printed on */
export function escaped (text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escape)
}

function escape (character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** The value of an argument as `node:fs` puts it into its messages. */
export function shown (value: unknown): string {
  if (typeof value === 'string') {
    return printable(value)
  }

  if (typeof value === 'bigint') {
    return `${grouped(value)}n`
  }

  if (typeof value === 'number' && Number.isInteger(value)) {
    return Object.is(value, -0) ? '-0' : grouped(value)
  }

  if (ArrayBuffer.isView(value) && value.byteLength === 0) {
    return `${value.constructor.name}(0) []`
  }

  return String(value)
}

function grouped (integer: number | bigint): string {
  const isLong = integer > 2 ** 32 || integer < -(2 ** 32)

  return isLong ? String(integer).replace(/\B(?=(\d{3})+$)/g, '_') : String(integer)
}
