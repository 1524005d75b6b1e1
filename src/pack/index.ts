// tells too old a runtime, before a store asks for what only newer ones have
import '../hash.ts'

export { PackBlockstore } from './store.ts'
export type { BlockBatch } from './block-batch.ts'
export type { CompactOptions } from './compact.ts'
export type { Collected, CollectOptions, PackBlock } from './gc.ts'
export type { Durability, PackOptions } from './options.ts'
export type { HealSource } from './repair.ts'
export type { PackRoots } from './roots.ts'
export type { Verified, VerifyOptions } from './verify-store.ts'
export type { Problem } from './verify.ts'
export type { ScanBlocksOptions } from './whole-log.ts'
export type { PutOptions } from '../options.ts'
