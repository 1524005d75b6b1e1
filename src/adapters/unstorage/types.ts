import type { DagFs, FileContent } from '../../fs/index.ts'

/** What the driver needs of a filesystem: what `dagfs()` gives has it. */
export type DriverFs = Pick<DagFs, 'readFile' | 'writeFile' | 'mkdir' | 'stat' | 'ls' | 'unlink' | 'rmdir' | 'rm' | 'watch' | 'commit' | 'merge'>

export interface DriverOptions {
  readonly fs: DriverFs
  /** The directory whose files are the items; it is made when the first is set, and removed with the last. Default: `/` */
  readonly base?: string
  /**
   * When a new root is made. `manual`: when the program calls `fs.commit()`. `each`: by each call that changes items,
   * before it answers; what others have published under the same name is merged then. Default: `manual`
   */
  readonly commit?: 'manual' | 'each'
}

/** What is known of an item beside its value. */
export interface ItemMeta {
  /** Bytes */
  readonly size: number
  /** Where a time was recorded: a filesystem with a `clock` does that */
  readonly mtime?: Date
  /** The CID of the block that holds or indexes the bytes; absent where they are held in the directory */
  readonly cid?: string
  // the type that unstorage expects is open
  readonly [key: string]: string | number | Date | undefined
}

/** What can be stored as it is. */
export type RawValue = FileContent | ArrayBuffer | ArrayBufferView

/**
 * A driver in the shape that `createStorage({ driver })` of unstorage 1 takes.
 */
export interface DagFsDriver {
  readonly name: 'dagfs'
  readonly options: DriverOptions
  readonly flags: { readonly maxDepth: true }
  /** The filesystem, to commit or to read history by */
  getInstance(): DriverFs
  /** Whether the key is that of a file */
  hasItem(key: string): Promise<boolean>
  getItem(key: string): Promise<string | null>
  getItemRaw(key: string): Promise<Uint8Array | null>
  setItem(key: string, value: string): Promise<void>
  setItems(items: ReadonlyArray<{ readonly key: string, readonly value: string }>): Promise<void>
  setItemRaw(key: string, value: RawValue): Promise<void>
  removeItem(key: string): Promise<void>
  getMeta(key: string): Promise<ItemMeta | null>
  /** The keys that begin with `prefix:`; with `maxDepth` those of at most so many colons */
  getKeys(prefix?: string, options?: { readonly maxDepth?: number }): Promise<string[]>
  clear(prefix?: string): Promise<void>
  /**
   * Tells of items that are written and removed, whoever does it, until the function that it returns is called. After more than
   * 16,384 edits at once it tells of every item that is there
   */
  watch(callback: (event: 'update' | 'remove', key: string) => unknown): Promise<() => Promise<void>>
  dispose(): Promise<void>
}
