/**
 * Throws unless a store holds exactly the blocks that it held when it was new.
 */
export function requireSame (constant: ReadonlySet<string>, now: ReadonlySet<string>): void {
  const left = [...now].filter(block => !constant.has(block))

  if (left.length > 0 || now.size !== constant.size) {
    throw new Error(`the store was not emptied: ${now.size} blocks instead of the ${constant.size} that are always there`)
  }
}
