import type { CorpusDescription } from '../corpora/corpus.ts'
import type { CID } from 'multiformats/cid'

/**
 * How long a contender waits for what it started to stop by itself, before it
 * ends it by force
 */
export const STOPPING_MS = 10_000

/**
 * Rows of one group must give one CID for one corpus; `none` gives no CIDs
 */
export type CidGroup = 'dag-cbor' | 'unixfs-v1-2025' | 'none'

/**
 * What has to be found, built or installed before a contender can run
 */
export type ToolName = 'kubo' | 'js-ipfs'

/**
 * Where each tool that was asked for is: Kubo's binary, js-ipfs' directory
 */
export type Tools = Readonly<Partial<Record<ToolName, string>>>

/**
 * What is measured. The parent process reads the facts, a child process opens it.
 */
export interface Contender {
  readonly key: string
  /**
   * What runs and where it stores, for those who know its key alone
   */
  readonly what: string
  readonly cidGroup: CidGroup
  readonly tool?: ToolName
  /**
   * Whether its blocks are files, so that dirty pages must be written between
   * the rounds
   */
  readonly onDisk: boolean

  /**
   * Says why it cannot take the corpus in at all, if so
   */
  cannotCarry?(corpus: CorpusDescription): string | undefined

  /**
   * Says why its CID must be left out of the corpus' equality, if so
   */
  incomparable?(corpus: CorpusDescription): string | undefined

  open(context: ContenderContext): Promise<OpenContender>
}

export interface ContenderContext {
  /**
   * An existing, empty directory of its own for all that it stores
   */
  readonly directory: string
  readonly tools: Tools
}

export interface Added {
  /**
   * Null where what is measured makes no CID
   */
  readonly cid: string | null
  /**
   * Whether the bytes were synced to the disk before it returned
   */
  readonly durable: boolean
}

export type OpenContender = Timed & (Rooted | Rootless)

interface Timed {
  /**
   * The name and version that the running thing itself reports
   */
  readonly version: string
  /**
   * Everything that it was told, for the report
   */
  readonly options: Readonly<Record<string, unknown>>

  /**
   * Takes a host directory in: the part that is timed
   */
  add(directory: string): Promise<Added>

  /**
   * Empties the store, and throws unless it is empty then
   */
  empty(): Promise<void>

  /**
   * Reads one block, where the blocks are dagfs' own and are to be held against
   * Kubo
   */
  readBlock?(cid: CID): Promise<Uint8Array>

  peakMemory(): Promise<PeakMemory>

  /**
   * Stops everything that it started
   */
  close(): Promise<void>
}

interface Rooted {
  /**
   * Reads back what is stored under a root, in any order
   */
  read(root: CID): AsyncIterable<StoredEntry>
}

interface Rootless {
  /**
   * Reads back what was added last, in any order
   */
  readLast(): AsyncIterable<StoredEntry>
}

export type StoredEntry =
  | { readonly path: string, readonly kind: 'file', content(): AsyncIterable<Uint8Array> }
  | { readonly path: string, readonly kind: 'directory' }
  | { readonly path: string, readonly kind: 'link', readonly target: string }

/**
 * The most memory that the working process ever held, or why nobody can tell
 */
export type PeakMemory = { readonly bytes: number } | { readonly unknown: string }
