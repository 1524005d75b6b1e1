import { InvalidOptionError } from '../errors.ts'
import { checkOptions, integerOption } from '../options.ts'
import { hostFiles } from './files/files.ts'
import type { Files } from './files/files.ts'

/** What a commit waits for: that the disk has it, or nothing */
export type Durability = 'commit' | 'none'

/** Options of a `PackBlockstore`. */
export interface PackOptions {
  /**
   * With 'commit', the default, a root is published when it and all blocks are on the disk; with 'none' the system
   * writes them when it likes, so that a power cut may take the newest roots.
   */
  readonly durability?: Durability
  /** Open the store for reading beside a writer, and in directories that cannot be written */
  readonly readonly?: boolean
  /** Make the store where there is none; true by default, never where `readonly` */
  readonly createIfMissing?: boolean
  /** Give blocks without comparing them with their CIDs */
  readonly trusted?: boolean
  /** Bytes after which a new segment begins, from 4,096 to 64 GiB; 256 MiB by default */
  readonly segmentBytes?: number
  /**
   * Milliseconds after which blocks that were put outlive the process, though no root was published; 1,000 by default. A
   * process with nothing else to do waits for that before it ends
   */
  readonly recordAfterMs?: number
}

/** What tests add: the operations on files, and small sizes for what else only large stores meet. */
export interface InternalOptions extends PackOptions {
  readonly files?: Files
  /** How much is written at once; 4 MiB by default */
  readonly pieceBytes?: number
  /** How much is written before the disk begins with it, though no commit waits yet; 32 MiB by default, so that small stores are synced once */
  readonly earlySyncBytes?: number
}

export type Settings = Required<InternalOptions>

/** The most that a segment may be told to have: what is much longer is none */
export const maxSegmentBytes = 2 ** 36

const known = ['durability', 'readonly', 'createIfMissing', 'trusted', 'segmentBytes', 'recordAfterMs']
const internal = ['files', 'pieceBytes', 'earlySyncBytes']

export function readSettings (options: InternalOptions): Settings {
  checkOptions(options, known, internal)
  const { durability = 'commit', segmentBytes = 2 ** 28, recordAfterMs = 1_000, pieceBytes = 2 ** 22, earlySyncBytes = 2 ** 25 } = options

  if (durability !== 'commit' && durability !== 'none') {
    throw new InvalidOptionError('durability', "must be 'commit' or 'none'")
  }

  return {
    durability,
    readonly: options.readonly ?? false,
    createIfMissing: options.createIfMissing ?? true,
    trusted: options.trusted ?? false,
    segmentBytes: integerOption('segmentBytes', segmentBytes, 4096, maxSegmentBytes),
    recordAfterMs: integerOption('recordAfterMs', recordAfterMs, 1, 2 ** 31 - 1),
    files: options.files ?? hostFiles,
    pieceBytes: integerOption('pieceBytes', pieceBytes, 1),
    earlySyncBytes: integerOption('earlySyncBytes', earlySyncBytes, 1)
  }
}
