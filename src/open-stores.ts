const counts = new Map<string, number>()
let changes = 0

/**
 * Notes that a store of this thread works on the files of a directory, or on a file, by its real path, until the
 * returned function is called. A system's locks on a file end as soon as anybody in the process closes that file: whoever reads directories, or
 * writes to them, leaves these alone.
 */
export function enterStore (realPath: string): () => void {
  change(realPath, 1)
  let isOpen = true

  return () => {
    if (isOpen) {
      isOpen = false
      change(realPath, -1)
    }
  }
}

function change (realPath: string, by: 1 | -1): void {
  const count = (counts.get(realPath) ?? 0) + by
  changes++
  count > 0 ? counts.set(realPath, count) : counts.delete(realPath)
}

/** The real paths of all that are open. */
export function openStorePaths (): Iterable<string> {
  return counts.keys()
}

/** A number that is another one whenever a store was opened or closed. */
export function openStoreChanges (): number {
  return changes
}
