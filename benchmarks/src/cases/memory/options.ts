import { readWhole } from '../../read-flags.ts'

export interface MemoryOptions {
  readonly files: number
  readonly treeBytes: number
  readonly fileBytes: number
  /**
   * Of the stream into a store that keeps nothing
   */
  readonly streamBytes: number
  /**
   * How often each import but the tree's is aborted, each time at another point
   */
  readonly aborts: number
  /**
   * What the import of the tree may hold beyond the bytes that it stores
   */
  readonly treeMegabytes: number
  readonly fileMegabytes: number
  readonly heldMs: number
  /**
   * How often an import is run as long as it held the event loop for longer than
   * that
   */
  readonly runs: number
  readonly abortMs: number
  readonly seed: string
}

export const defaults: MemoryOptions = {
  files: 25_000,
  treeBytes: 300_000_000,
  fileBytes: 8 * 2 ** 30,
  streamBytes: 64 * 2 ** 30,
  aborts: 5,
  treeMegabytes: 250,
  fileMegabytes: 300,
  heldMs: 50,
  runs: 3,
  abortMs: 100,
  seed: 'dagfs/memory/1'
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof MemoryOptions, unknown>>> & { readonly json?: string }

export function readOptions (flags: Flags): MemoryOptions {
  return {
    files: readWhole('files', flags.files ?? defaults.files, 1),
    treeBytes: readWhole('tree-bytes', flags.treeBytes ?? defaults.treeBytes, 0),
    fileBytes: readWhole('file-bytes', flags.fileBytes ?? defaults.fileBytes, 1),
    streamBytes: readWhole('stream-bytes', flags.streamBytes ?? defaults.streamBytes, 1),
    aborts: readWhole('aborts', flags.aborts ?? defaults.aborts, 1),
    treeMegabytes: readWhole('tree-megabytes', flags.treeMegabytes ?? defaults.treeMegabytes, 1),
    fileMegabytes: readWhole('file-megabytes', flags.fileMegabytes ?? defaults.fileMegabytes, 1),
    heldMs: readWhole('held-ms', flags.heldMs ?? defaults.heldMs, 1),
    runs: readWhole('runs', flags.runs ?? defaults.runs, 1),
    abortMs: readWhole('abort-ms', flags.abortMs ?? defaults.abortMs, 1),
    seed: String(flags.seed ?? defaults.seed)
  }
}
