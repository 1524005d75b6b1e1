import { InvalidOptionError } from '../errors.ts'
import { checkOptions, integerOption } from '../options.ts'
import { hostFiles } from './files.ts'
import type { Files } from './files.ts'

/** What a commit waits for: that the disk has it, or nothing */
export type Durability = 'commit' | 'none'

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
  /** Bytes after which a new segment begins; 256 MiB by default */
  readonly segmentBytes?: number
  /**
   * Milliseconds after which blocks that were put outlive the process, though no root was published; 1,000 by default
   */
  readonly recordAfterMs?: number
}

/** What tests add: the operations on files. */
export interface InternalOptions extends PackOptions {
  readonly files?: Files
}

export type Settings = Required<InternalOptions>

const known = ['durability', 'readonly', 'createIfMissing', 'trusted', 'segmentBytes', 'recordAfterMs', 'files']

export function readSettings (options: InternalOptions): Settings {
  checkOptions(options, known)
  const { durability = 'commit', segmentBytes = 2 ** 28, recordAfterMs = 1_000 } = options

  if (durability !== 'commit' && durability !== 'none') {
    throw new InvalidOptionError('durability', "must be 'commit' or 'none'")
  }

  return {
    durability,
    readonly: options.readonly ?? false,
    createIfMissing: options.createIfMissing ?? true,
    trusted: options.trusted ?? false,
    segmentBytes: integerOption('segmentBytes', segmentBytes, 4096),
    recordAfterMs: integerOption('recordAfterMs', recordAfterMs, 1, 2 ** 31 - 1),
    files: options.files ?? hostFiles
  }
}
