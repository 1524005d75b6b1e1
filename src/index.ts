/**
 * @packageDocumentation
 *
 * A versioned filesystem on content-addressed trees: directories are dag-cbor blocks, file bytes are raw blocks, every
 * tree is one CID, and blocks go into any `interface-blockstore`.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
 *
 * for await (const { path, kind, size } of fs.walk()) {
 *   console.log(path, kind, size)
 * }
 * ```
 */
export { persistStorage, storageEstimate } from './browser-storage.ts'
export { readProperty } from './codec/index.ts'
export { BigIntStats, constants, dagfs, Dirent, Stats } from './fs/index.ts'
export { dagfs1, fixedSize } from './file/index.ts'
export { datastoreRoots, indexedDbRoots, memoryRoots } from './roots/index.ts'
export * from './errors.ts'
export type * from './fs/index.ts'
export type { StorageEstimate, UnsupportedStorage } from './browser-storage.ts'
export type { Chunker, FileLayout } from './file/index.ts'
export type { BlockStore } from './blockstore/index.ts'
export type { EncodedBlock, Meta, MetaValue, Time, Value as DagCborValue } from './codec/index.ts'
export type { IndexedDbRoots, RootDatastore, RootStore } from './roots/index.ts'
export type { AbortOptions } from './options.ts'
