const counts = new Map<string, number>()

/**
 * Notes that a store of this process works on the files of a directory, by its real path, until what is answered is called.
 * A system's locks on a file end as soon as anybody in the process closes that file: whoever reads directories leaves these alone.
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

/** Whether the directory, or one somewhere in it, is a store's; `realPath` is asked for only where there is any store. */
export function hasOpenStoreIn (realPath: () => string): boolean {
  return counts.size > 0 && [...counts.keys()].some(isIn(realPath()))
}

function isIn (directory: string): (path: string) => boolean {
  const beginnings = ['/', '\\'].map(separator => directory.endsWith(separator) ? directory : directory + separator)

  return path => path === directory || beginnings.some(beginning => path.startsWith(beginning))
}
