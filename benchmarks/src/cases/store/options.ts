import { given, readWhole } from '../../read-flags.ts'

export interface StoreSizes {
  /**
   * Blocks in the large pack store
   */
  readonly blocks: number
  /**
   * Blocks in the small one, and in the one of blockstore-fs
   */
  readonly fewer: number
  readonly fsBlocks: number
  /**
   * Of every block
   */
  readonly blockBytes: number
  /**
   * Blocks that one sample gets
   */
  readonly gets: number
}

export interface StoreOptions extends StoreSizes {
  /**
   * The least number of samples of a row
   */
  readonly iterations: number
  readonly minTimeMs: number
  readonly timeoutMs: number
}

export const defaults: StoreOptions = {
  blocks: 1_000_000,
  fewer: 10_000,
  fsBlocks: 100_000,
  blockBytes: 1_000,
  gets: 1_000,
  iterations: 10,
  minTimeMs: 1_000,
  timeoutMs: 30 * 60_000
}

/**
 * What the command line's parser hands over: numbers where it saw digits
 */
export type Flags = Readonly<Partial<Record<keyof StoreSizes | 'iterations' | 'minTime' | 'timeout', unknown>>> & { readonly json?: string }

/**
 * Reads flags first, then the environment, then the defaults.
 */
export function readOptions (flags: Flags, env: Readonly<Record<string, string | undefined>>): StoreOptions {
  return {
    blocks: readWhole('blocks', flags.blocks ?? defaults.blocks, 1),
    fewer: readWhole('fewer', flags.fewer ?? defaults.fewer, 1),
    fsBlocks: readWhole('fs-blocks', flags.fsBlocks ?? defaults.fsBlocks, 1),
    blockBytes: readWhole('block-bytes', flags.blockBytes ?? defaults.blockBytes, 8),
    gets: readWhole('gets', flags.gets ?? defaults.gets, 1),
    iterations: readWhole('iterations', flags.iterations ?? given(env.ITERATIONS) ?? defaults.iterations, 1),
    minTimeMs: readWhole('min-time', flags.minTime ?? given(env.MIN_TIME) ?? defaults.minTimeMs, 0),
    timeoutMs: readWhole('timeout', flags.timeout ?? defaults.timeoutMs / 60_000, 1) * 60_000
  }
}
