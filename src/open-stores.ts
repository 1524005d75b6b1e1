const counts = new Map<string, number>()

/**
 * Notes that a store of this process works on the files of a directory, or on a file, by its real path, until what is answered
 * is called. A system's locks on a file end as soon as anybody in the process closes that file: whoever reads directories, or
 * writes to them, leaves these alone.
 */
export function enterStore (realPath: string): () => void {
  counts.set(realPath, (counts.get(realPath) ?? 0) + 1)
  let isOpen = true

  return () => {
    const count = counts.get(realPath) ?? 0

    if (isOpen) {
      isOpen = false
      count > 1 ? counts.set(realPath, count - 1) : counts.delete(realPath)
    }
  }
}

export function isOpenStore (realPath: string): boolean {
  return counts.has(realPath)
}

/** Whether any store is open: only then does it matter where a directory really is. */
export function hasOpenStores (): boolean {
  return counts.size > 0
}

/** Whether an open store is this directory or file, or somewhere in it. */
export function hasOpenStoreIn (realPath: string): boolean {
  const beginnings = ['/', '\\'].map(separator => realPath.endsWith(separator) ? realPath : realPath + separator)

  return [...counts.keys()].some(path => path === realPath || beginnings.some(beginning => path.startsWith(beginning)))
}
