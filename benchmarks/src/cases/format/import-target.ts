export type TargetKey = 'memory' | 'fs' | 'idb'

export const targetKeys: readonly TargetKey[] = ['memory', 'fs', 'idb']

/**
 * Somewhere to import into, again and again
 */
export interface ImportTarget {
  /**
   * Makes a store that is empty
   */
  prepare(): Promise<void>
  /**
   * Imports the directory, commits, and returns the root
   */
  add(inlineBytes: number): Promise<string>
  /**
   * Removes the store
   */
  clean(): Promise<void>
  close(): Promise<void>
}

export interface TargetContext {
  /**
   * What is imported
   */
  readonly source: string
  /**
   * Where stores go
   */
  readonly scratch: string
  readonly signal: AbortSignal
}

/**
 * A target that cannot be had here, and why
 */
export class UnavailableError extends Error {
  name = 'UnavailableError'
}
