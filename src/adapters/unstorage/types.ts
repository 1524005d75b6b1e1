import type { DagFs, FileContent } from '../../fs/index.ts'

/** What the driver needs of a filesystem: what `dagfs()` gives has it. */
export type DriverFs = Pick<DagFs, 'readFile' | 'writeFile' | 'mkdir' | 'stat' | 'ls' | 'unlink' | 'rmdir' | 'rm' | 'watch' | 'commit' | 'merge'>

/** Options of `dagfsDriver`. */
export interface DriverOptions {
  readonly fs: DriverFs
  /** The directory whose files are the items; it is made when the first is set, and removed with the last. Default: `/` */
  readonly base?: string
  /**
   * When a new root is made. `manual`: when the program calls `fs.commit()`. `each`: by each call that changes items,
   * before it returns; what others have published under the same name is merged then. Default: `manual`
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
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 * import { dagfsDriver } from 'dagfs/unstorage'
 * import { createStorage } from 'unstorage'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * const storage = createStorage({ driver: dagfsDriver({ fs, base: '/items' }) })
 * await storage.setItem('users:ada', 'Ada')
 * console.log(await fs.readFile('/items/users/ada', 'utf8')) // Ada
 * ```
 */
export interface DagFsDriver {
  readonly name: 'dagfs'
  readonly options: DriverOptions
  readonly flags: { readonly maxDepth: true }
  /**
   * The filesystem, to commit or to read history by.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * await driver.getInstance().commit()
   * ```
   */
  getInstance(): DriverFs
  /**
   * Whether the key is that of a file.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * console.log(await driver.hasItem('users:ada'), await driver.hasItem('users')) // true false
   * ```
   */
  hasItem(key: string): Promise<boolean>
  /**
   * The text of an item, or null where there is none.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * console.log(await driver.getItem('users:ada'), await driver.getItem('users:bob')) // Ada null
   * ```
   */
  getItem(key: string): Promise<string | null>
  /**
   * The bytes of an item, or null where there is none.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * console.log(await driver.getItemRaw('users:ada')) // Uint8Array(3) [ 65, 100, 97 ]
   * ```
   */
  getItemRaw(key: string): Promise<Uint8Array | null>
  /**
   * Sets the text of an item.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * console.log(await fs.readFile('/users/ada', 'utf8')) // Ada
   * ```
   */
  setItem(key: string, value: string): Promise<void>
  /**
   * Sets the texts of items; with `commit: 'each'` in one root.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItems([{ key: 'users:ada', value: 'Ada' }, { key: 'users:bob', value: 'Bob' }])
   * console.log(await driver.getKeys()) // [ 'users:ada', 'users:bob' ]
   * ```
   */
  setItems(items: ReadonlyArray<{ readonly key: string, readonly value: string }>): Promise<void>
  /**
   * Sets the bytes of an item.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItemRaw('pictures:dot', Uint8Array.of(1))
   * console.log(await driver.getItemRaw('pictures:dot')) // Uint8Array(1) [ 1 ]
   * ```
   */
  setItemRaw(key: string, value: RawValue): Promise<void>
  /**
   * Removes an item, if it is there, and the directories that this leaves empty.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * await driver.removeItem('users:ada')
   * console.log(await fs.readdir('/')) // []
   * ```
   */
  removeItem(key: string): Promise<void>
  /**
   * What is known of an item beside its value, or null where there is none.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * console.log(await driver.getMeta('users:ada')) // { size: 3 }
   * ```
   */
  getMeta(key: string): Promise<ItemMeta | null>
  /**
   * The keys that begin with `prefix:`; with `maxDepth` those of at most so many colons.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * console.log(await driver.getKeys('users')) // [ 'users:ada' ]
   * console.log(await driver.getKeys('', { maxDepth: 0 })) // []
   * ```
   */
  getKeys(prefix?: string, options?: { readonly maxDepth?: number }): Promise<string[]>
  /**
   * Removes the items whose keys begin with `prefix:`; without a prefix all.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * await driver.setItem('theme', 'dark')
   * await driver.clear('users')
   * console.log(await driver.getKeys()) // [ 'theme' ]
   * ```
   */
  clear(prefix?: string): Promise<void>
  /**
   * Tells of items that are written and removed, whoever does it, until the function that it returns is called. After more than
   * 16,384 edits at once it tells of every item that is there
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * const events = new Set<string>()
   * const unwatch = await driver.watch((event, key) => events.add(`${event} ${key}`))
   * await driver.setItem('users:ada', 'Ada')
   * await new Promise(resolve => setTimeout(resolve, 10)) // they come later
   * console.log([...events]) // [ 'update users:ada' ]
   * await unwatch()
   * ```
   */
  watch(callback: (event: 'update' | 'remove', key: string) => unknown): Promise<() => Promise<void>>
  /**
   * Ends all watching, and waits for calls that change items.
   *
   * @example
   *
   * ```ts
   * import { MemoryBlockstore } from 'blockstore-core'
   * import { dagfs } from 'dagfs'
   * import { dagfsDriver } from 'dagfs/unstorage'
   *
   * const fs = dagfs({ blockstore: new MemoryBlockstore() })
   * const driver = dagfsDriver({ fs })
   * await driver.setItem('users:ada', 'Ada')
   * await driver.dispose()
   * ```
   */
  dispose(): Promise<void>
}
