const counters = { file: 'files', directory: 'directories', symlink: 'symlinks' } as const

/** How many entries of each kind there are, and how many bytes their files have together. */
export class EntryCounts {
  files = 0
  directories = 0
  symlinks = 0
  bytes = 0

  /** Counts an entry; the size of what is no file does not count. */
  add (kind: keyof typeof counters, size: number): void {
    this[counters[kind]]++
    this.bytes += kind === 'file' ? size : 0
  }
}
