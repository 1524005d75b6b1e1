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
 * there is none. One without items is refused: what measures nothing would pass.
 */
export function readList (name: string, value: unknown): string[] | undefined {
  if (value == null) {
    return undefined
  }

  const items = new Set(String(value).split(',').map(item => item.trim()).filter(item => item !== ''))

  if (items.size === 0) {
    throw new Error(`${name} must have an item at least, and is ${JSON.stringify(String(value))}`)
  }

  return [...items]
}

/**
 * Reads a variable of the environment; one that is set to nothing is as good as
 * none.
 */
export function given (value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
