import type { AdditionOptions, Additions } from './add-all.ts'
import type { EntryInfo } from './entry-types.ts'
import type { AddReport, DagFs } from './types.ts'
import type { Layout } from '../codec/index.ts'
import type { AbortOptions } from '../options.ts'
import type { CID } from 'multiformats/cid'

/** What the layout and the store do with the content of files. */
export interface StorageTraits {
  /** Files up to this size are held in their entries */
  readonly inlineBytes: number
  /** Whether the store holds no bytes of a block once its put resolves */
  readonly copiesBytes?: boolean
}

/**
 * What the adapters of the package can do with a filesystem beyond its API.
 */
export interface AdapterApi {
  /** As `addAll`, with entries whose content is stored already, entries to remove, and trees in between */
  add(entries: Additions, options: AdditionOptions): Promise<AddReport>
  /**
   * What decides which blocks files become
   *
   * @throws {InvalidOptionError} where a chunker does that which cannot be described
   */
  layout(options?: AbortOptions): Promise<Layout>
  /** How the content of files is handled */
  storageTraits(options?: AbortOptions): Promise<StorageTraits>
  /** Whether the store has every block of some content. What it has is from then on kept like what was put */
  adopt(content: CID, options?: AbortOptions): Promise<boolean>
  /** Makes what was put outlive this process, and a power cut where the store can */
  sync(options?: AbortOptions): Promise<void>
  /** A tree of which anything may be missing */
  partialTree(root: CID): PartialTree
  /** A filesystem that begins as this one is now, and puts nothing into the store: what it makes is in memory, or dropped */
  scratch(options?: AbortOptions): Promise<DagFs>
}

/** What is left of a tree that nothing has kept. */
export interface PartialTree {
  /** The entries of a directory; undefined where it, or a block of it, is missing or damaged */
  list(path: string, options?: AbortOptions): Promise<EntryInfo[] | undefined>
  /** The bytes of a file; undefined as for `list` */
  read(path: string, options?: AbortOptions): Promise<Uint8Array | undefined>
}

/** A symbol: it is also found on what inherits from a filesystem, and through a proxy */
const openApi = Symbol('dagfs.adapterApi')

interface Adaptable {
  [openApi]?(): Promise<AdapterApi>
}

/** Sets how the API for adapters of a filesystem is opened. */
export function setAdapterApi (fs: DagFs, open: () => Promise<AdapterApi>): void {
  Object.defineProperty(fs, openApi, { value: open })
}

/**
 * Opens the API for adapters of a filesystem. Returns undefined if another program made it.
 */
export async function adapterApiOf (fs: DagFs & Adaptable): Promise<AdapterApi | undefined> {
  return fs[openApi]?.()
}
