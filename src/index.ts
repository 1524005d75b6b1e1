/**
 * @packageDocumentation
 *
 * A versioned filesystem on content-addressed trees: directories are dag-cbor blocks, file bytes are raw blocks, every
 * tree is one CID, and blocks go into any `interface-blockstore`. In the examples that import nothing, `blockstore` is a
 * `MemoryBlockstore`, and `fs` is `dagfs({ blockstore })`.
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
 *   console.log(path, kind, size) // /notes directory 5, /notes/today.md file 5
 * }
 * ```
 */
export { persistStorage, storageEstimate } from './browser-storage.ts'
export { readProperty } from './codec/index.ts'
export { BigIntStats, constants, dagfs, Dirent, Stats } from './fs/index.ts'
export { dagfs1, fixedSize } from './file/index.ts'
export { datastoreRoots, indexedDbRoots, memoryRoots } from './roots/index.ts'
export * from './errors.ts'
export type { Dir, Encoding, EncodingOptions, PathLike, TimeLike } from './fs/index.ts'
export type { AddedDirectory, AddedEntry, AddedFile, AddedSymlink, EntryInfo, FileContent } from './fs/index.ts'
export type { GcOptions, GcProgress, GcProgressEvents, GcReport } from './fs/index.ts'
export type { FileHandle, GlobOptions, Position, TransferOptions, WatchEvent, WatchIgnore, WatchOptions, WritableContent } from './fs/index.ts'
export type { ByteStreamOptions, HandleReadFileOptions, HandleWriteFileOptions, PathReadStreamOptions, PathWriteStreamOptions, ReadResult, ReadStreamOptions, ReadvResult, WebStreamOptions, WriteResult, WriteStreamOptions, WritevResult } from './fs/index.ts'
export type { CanonicalizeOptions, CanonicalizeProgress, CanonicalizeProgressEvents } from './fs/index.ts'
export type { ChangedField, CheckoutOptions, DiffOptions, HistoryReader, LoggedSnapshot, LogOptions, MergeChoice, MergeConflict, MergeOptions, MergeReport, MergeStrategy, RootAttributes, SnapshotInfo, SnapshotOptions, TakenSnapshot, TreeDifference } from './fs/index.ts'
export type { CopyOptions, MkdirOptions, OpendirOptions, PathEdits, ReaddirOptions, RemoveOptions, TemporaryDirectory, WriteFileOptions } from './fs/index.ts'
export type { Durability, LayoutSource, OpenedRoot, Pin, PinStore, RootInit } from './fs/index.ts'
export type { AddOptions, AddProgress, AddProgressEvents, AddReport, CatOptions, Commit, DagFs, DagFsComponents, DagFsInit, ListOptions, ReadFileOptions, ReadonlyDagFs, StatOptions } from './fs/index.ts'
export type { TreeProblem, TreeProblemKind, VerifyOptions, VerifyProgress, VerifyProgressEvents, VerifyReport } from './fs/index.ts'
export type { StorageEstimate, UnsupportedStorage } from './browser-storage.ts'
export type { Chunker, FileLayout } from './file/index.ts'
export type { BlockStore } from './blockstore/index.ts'
export type { EncodedBlock, Meta, MetaValue, Time, Value as DagCborValue } from './codec/index.ts'
export type { IndexedDbRoots, RootDatastore, RootStore } from './roots/index.ts'
export type { LimitOptions, Limits } from './budget.ts'
export type { AbortOptions, PutOptions } from './options.ts'
