// tells too old a runtime, before a store asks for what only newer ones have
import '../hash.ts'

export { PackBlockstore } from './store.ts'
export type { BlockBatch } from './reading/block-batch.ts'
export type { CompactOptions } from './maintenance/compact.ts'
export type { Collected, CollectOptions, PackBlock } from './maintenance/gc.ts'
export type { Durability, PackOptions } from './options.ts'
export type { HealSource } from './maintenance/repair.ts'
export type { PackRoots } from './roots.ts'
export type { Verified, VerifyOptions } from './maintenance/verify-store.ts'
export type { Problem } from './maintenance/verify.ts'
export type { ScanBlocksOptions } from './reading/log-iterator.ts'
export type { PutOptions } from '../options.ts'
