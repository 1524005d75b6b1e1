/**
 * Reads a whole number from a flag, of which the command line's parser has made
 * a number where it saw digits.
 */
export function readWhole (name: string, value: unknown, least: number): number {
  const result = Number(value)

  if (value === '' || !Number.isSafeInteger(result) || result < least) {
    throw new Error(`${name} must be a whole number, at least ${least}, and is ${String(value)}`)
  }

  return result
}

/**
 * Reads a list whose items are separated by commas, each once; undefined where
 * there is none.
 */
export function readList (value: unknown): string[] | undefined {
  return value == null ? undefined : [...new Set(String(value).split(',').map(item => item.trim()).filter(item => item !== ''))]
}

/**
 * Reads a variable of the environment; one that is set to nothing is as good as
 * none.
 */
export function given (value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
