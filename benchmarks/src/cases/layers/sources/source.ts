/**
 * Where the records are
 */
export interface Place {
  /**
   * The directory of the pack store
   */
  readonly store: string
  /**
   * Where others may keep what they make of it
   */
  readonly others: string
  readonly readBytes: number
}

/**
 * Something that can be gone through from its beginning to its end. What packages
 * of others it needs it loads when it is used, so that one that is missing is its
 * own failure
 */
export interface Source {
  /**
   * What it gives: pieces of the pack store's files, its records byte for byte, or
   * the same records encoded otherwise
   */
  readonly holds: 'files' | 'records' | 'other encodings'
  /**
   * Says why it cannot be with such reads; undefined where it can
   */
  unavailable?(place: Place): string | undefined
  /**
   * What is at work, by name and version
   */
  version(): Promise<string>
  /**
   * The file of its own that it reads instead of the pack store's, and writing it
   */
  readonly own?: OwnFile
  /**
   * Opens it anew, with nothing cached but by the system
   */
  open(place: Place): Promise<OpenSource>
}

export interface OwnFile {
  path(place: Place): string
  write(place: Place): Promise<void>
}

export interface OpenSource {
  /**
   * Gives every piece, as bytes that the next one may overwrite
   */
  scan(take: (bytes: Uint8Array) => void): Promise<void>
  close(): Promise<void>
}
