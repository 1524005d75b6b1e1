import { escaped, printable, shown } from './printable.ts'
import type { CID } from 'multiformats/cid'

/**
 * Where an error happened: facts for the program, beside the sentence for the reader.
 */
export interface ErrorFacts {
  /** The path in the tree or, for host adapters, on the host */
  readonly path?: string
  /** The CID of the block concerned */
  readonly cid?: CID
  readonly cause?: unknown
}

abstract class DagfsError extends Error {
  abstract readonly code: string
  readonly path?: string
  readonly cid?: CID

  constructor (message: string, facts: ErrorFacts = {}) {
    super(describe(message, facts), facts.cause === undefined ? undefined : { cause: facts.cause })

    if (facts.path !== undefined) {
      this.path = facts.path
    }

    if (facts.cid !== undefined) {
      this.cid = facts.cid
    }
  }
}

function describe (message: string, { path, cid }: ErrorFacts): string {
  const place = [
    path === undefined ? '' : ` at ${printable(path)}`,
    cid === undefined ? '' : ` in block ${cid}`
  ]

  return `${message}${place.join('')}`
}

/**
 * A block's bytes are not a canonical node of the format, or a node contradicts the place that links to it. Do not
 * trust the tree; fetch the block from a source that has not been tampered with.
 *
 * @example
 *
 * ```ts
 * import { InvalidNodeError, readProperty } from 'dagfs'
 *
 * try {
 *   readProperty({ bytes: Uint8Array.of(0x18, 1) }, []) // the number 1 in two bytes, where one is enough
 * } catch (err) {
 *   if (!(err instanceof InvalidNodeError)) {
 *     throw err
 *   }
 *
 *   console.log(err.code) // ERR_INVALID_NODE
 * }
 * ```
 */
export class InvalidNodeError extends DagfsError {
  override readonly name = 'InvalidNodeError'
  readonly code = 'ERR_INVALID_NODE'
}

/**
 * A block names a type or version that this release does not know. Upgrade dagfs to read it.
 *
 * @example
 *
 * ```ts
 * import { encode } from '@ipld/dag-cbor'
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, memoryRoots } from 'dagfs'
 *
 * const roots = memoryRoots()
 * await roots.compareAndSet('main', undefined, encode({ later: 2 })) // by a later release
 * const fs = dagfs({ blockstore: new MemoryBlockstore() }, { name: 'main', roots })
 *
 * await fs.readdir('/').catch(error => {
 *   console.log(error.code) // ERR_UNSUPPORTED_VERSION
 * })
 * ```
 */
export class UnsupportedVersionError extends DagfsError {
  override readonly name = 'UnsupportedVersionError'
  readonly code = 'ERR_UNSUPPORTED_VERSION'
}

/**
 * A store returned bytes that do not hash to the CID they were asked for. The store is damaged or lies.
 *
 * @example
 *
 * ```ts
 * await fs.writeFile('/file', new Uint8Array(4096))
 * await fs.commit()
 * const { cid } = await fs.stat('/file')
 *
 * if (cid !== undefined) {
 *   await blockstore.put(cid, Uint8Array.of(1)) // damage
 *   await fs.readFile('/file').catch(error => {
 *     console.log(error.code, error.cid.equals(cid)) // ERR_BLOCK_MISMATCH true
 *   })
 *   await blockstore.put(cid, new Uint8Array(4096)) // as another store has it
 * }
 * ```
 */
export class BlockMismatchError extends DagfsError {
  override readonly name = 'BlockMismatchError'
  readonly code = 'ERR_BLOCK_MISMATCH'
}

/**
 * Something is larger, deeper or more numerous than the limits of the format or of this call allow.
 *
 * @example
 *
 * ```ts
 * await fs.addAll([{ path: '/a', content: '' }, { path: '/b', content: '' }])
 *
 * await fs.readdir('/', { recursive: true, limits: { entries: 1 } }).catch(error => {
 *   console.log(error.code, error.exceeded, error.limit) // ERR_LIMIT_EXCEEDED entries 1
 * })
 * console.log(await fs.readdir('/', { recursive: true, limits: { entries: 2 } })) // [ 'a', 'b' ]
 * ```
 */
export class LimitExceededError extends DagfsError {
  override readonly name = 'LimitExceededError'
  readonly code = 'ERR_LIMIT_EXCEEDED'
  /** How much is allowed, where a call has a budget */
  declare readonly limit?: number
  /** Of what there is more: the option of `limits` to raise where the tree can be trusted */
  declare readonly exceeded?: 'entries' | 'blocks' | 'bytes'

  constructor (message: string, facts: ErrorFacts & Pick<LimitExceededError, 'limit' | 'exceeded'> = {}) {
    super(message, facts)

    if (facts.limit !== undefined) {
      this.limit = facts.limit
    }

    if (facts.exceeded !== undefined) {
      this.exceeded = facts.exceeded
    }
  }
}

/**
 * An option is unknown, has the wrong type or contradicts another one.
 *
 * @example
 *
 * ```ts
 * await fs.readdir('/', { recursive: true, limits: { entries: -1 } }).catch(error => {
 *   console.log(error.code, error.option) // ERR_INVALID_OPTION limits.entries
 * })
 * ```
 */
export class InvalidOptionError extends DagfsError {
  override readonly name = 'InvalidOptionError'
  readonly code = 'ERR_INVALID_OPTION'
  readonly option: string

  constructor (option: string, reason: string, facts?: ErrorFacts) {
    super(`option ${printable(option)} ${reason}`, facts)
    this.option = option
  }
}

/**
 * A host file changed, grew, shrank or vanished while it was read. Import again when it is at rest, or pass
 * `onSourceError: 'skip'`.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, SourceChangedError } from 'dagfs'
 * import { importDirectory } from 'dagfs/host'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 *
 * try {
 *   await importDirectory(fs, './src')
 * } catch (err) {
 *   if (!(err instanceof SourceChangedError)) {
 *     throw err
 *   }
 *
 *   console.log(`${err.path} is being written`)
 *   await importDirectory(fs, './src', { onSourceError: 'skip' })
 * }
 * ```
 */
export class SourceChangedError extends DagfsError {
  override readonly name = 'SourceChangedError'
  readonly code = 'ERR_SOURCE_CHANGED'
}

/**
 * Something else has come into the place of a directory that an export is writing into. Nothing was written to or removed
 * from that. Export again, with `update`, when nobody else changes the target.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, TargetChangedError } from 'dagfs'
 * import { exportDirectory } from 'dagfs/host'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.writeFile('/today.md', 'hello')
 *
 * try {
 *   await exportDirectory(fs, './notes')
 * } catch (err) {
 *   if (!(err instanceof TargetChangedError)) {
 *     throw err
 *   }
 *
 *   console.log(`${err.path} was replaced`)
 *   await exportDirectory(fs, './notes', { update: 'content' })
 * }
 * ```
 */
export class TargetChangedError extends DagfsError {
  override readonly name = 'TargetChangedError'
  readonly code = 'ERR_TARGET_CHANGED'
}

/**
 * The source or target has something that the other side cannot carry: a socket or device, a name that is not
 * UTF-8, two names that are one on a case-insensitive host, a link that leaves the target.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 * import { exportDirectory } from 'dagfs/host'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * await fs.symlink('../../secret', '/link')
 *
 * await exportDirectory(fs, './refused').catch(error => {
 *   console.log(error.code) // ERR_UNSUPPORTED_ENTRY
 * })
 * const { skipped } = await exportDirectory(fs, './exported', { onUnsupported: 'skip' })
 * console.log(skipped[0].path) // /link
 * ```
 */
export class UnsupportedEntryError extends DagfsError {
  override readonly name = 'UnsupportedEntryError'
  readonly code = 'ERR_UNSUPPORTED_ENTRY'
}

/**
 * A root was published under the name since this handle last saw it. Nothing is lost: the edits are kept and `ours` is
 * stored. Take in what was published with `fs.merge(error.theirs)` and commit again, or give the edits up with
 * `fs.checkout(error.theirs, { force: true })`.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, memoryRoots, RootConflictError } from 'dagfs'
 *
 * const [blockstore, roots] = [new MemoryBlockstore(), memoryRoots()]
 * const ours = dagfs({ blockstore }, { name: 'site', roots })
 * const theirs = dagfs({ blockstore }, { name: 'site', roots })
 * await ours.writeFile('/ours.md', 'hello')
 * await theirs.writeFile('/theirs.md', 'hello')
 * await theirs.commit()
 *
 * try {
 *   await ours.commit()
 * } catch (err) {
 *   if (!(err instanceof RootConflictError)) {
 *     throw err
 *   }
 *
 *   await ours.merge(err.theirs)
 *   await ours.commit()
 * }
 *
 * console.log(await ours.readdir('/')) // [ 'ours.md', 'theirs.md' ]
 * ```
 */
export class RootConflictError extends DagfsError {
  override readonly name = 'RootConflictError'
  readonly code = 'ERR_ROOT_CONFLICT'
  /** The name that both were to be published under */
  readonly root: string
  /** The tree that was to be published, which is stored */
  readonly ours: CID
  /** The tree that is published */
  readonly theirs: CID
  /** The tree that both began with; undefined where it was an empty directory that nobody had published */
  readonly base: CID | undefined

  constructor (root: string, { ours, theirs, base }: { ours: CID, theirs: CID, base: CID | undefined }) {
    super(`another root was published under the name ${printable(root)}: ${theirs}, not ${base ?? 'the first'}; merge it and commit again`)
    this.root = root
    this.ours = ours
    this.theirs = theirs
    this.base = base
  }
}

/**
 * The name of this handle was removed since the handle last saw it. Nothing is lost: the edits are kept and `ours` is
 * stored. Publish it under the name again with `fs.checkout(error.ours, { force: true })` and a commit, or give the
 * handle up.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, memoryRoots, RootRemovedError } from 'dagfs'
 *
 * const [blockstore, roots] = [new MemoryBlockstore(), memoryRoots()]
 * const fs = dagfs({ blockstore }, { name: 'site', roots })
 * await fs.writeFile('/index.html', 'hello')
 * await fs.commit()
 * await dagfs({ blockstore }, { name: 'site', roots }).unpublish()
 * await fs.writeFile('/index.html', 'hello again')
 *
 * try {
 *   await fs.commit()
 * } catch (err) {
 *   if (!(err instanceof RootRemovedError)) {
 *     throw err
 *   }
 *
 *   await fs.checkout(err.ours, { force: true })
 *   await fs.commit()
 * }
 * ```
 */
export class RootRemovedError extends DagfsError {
  override readonly name = 'RootRemovedError'
  readonly code = 'ERR_ROOT_REMOVED'
  /** The name that was removed */
  readonly root: string
  /** The tree that was to be published, which is stored */
  readonly ours: CID

  constructor (root: string, ours: CID) {
    super(`the name ${printable(root)} was removed; to publish it again, check out ${ours} and commit`)
    this.root = root
    this.ours = ours
  }
}

/**
 * A block that a root needs is not in the store any more: somebody else has deleted it. Where a commit says so, the old
 * root stands and the edits are kept; write again what the block was part of. Where garbage collection says so, nothing
 * was deleted.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs, memoryRoots } from 'dagfs'
 *
 * const blockstore = new MemoryBlockstore()
 * const fs = dagfs({ blockstore }, { name: 'site', roots: memoryRoots(), draftBytes: 0 })
 * await fs.writeFile('/file', new Uint8Array(4096))
 * const { cid } = await fs.stat('/file')
 *
 * if (cid !== undefined) {
 *   await blockstore.delete(cid) // as a garbage collection of somebody else does
 *   await fs.commit().catch(error => {
 *     console.log(error.code, error.path) // ERR_MISSING_BLOCK /file
 *   })
 *   await fs.writeFile('/file', new Uint8Array(4096))
 *   await fs.commit()
 * }
 * ```
 */
export class MissingBlockError extends DagfsError {
  override readonly name = 'MissingBlockError'
  readonly code = 'ERR_MISSING_BLOCK'
}

/**
 * Somebody else holds the store: a pack store is open for writing already, here or in another process, or a lock was not
 * free for longer than this one waits. Close the other one; a pack store can be read beside it with `readonly: true`.
 *
 * @example
 *
 * ```ts
 * import { PackBlockstore } from 'dagfs/pack'
 *
 * const writer = new PackBlockstore('./store')
 * await writer.open()
 *
 * await new PackBlockstore('./store').open().catch(error => {
 *   console.log(error.code) // ERR_STORE_LOCKED
 * })
 *
 * const reader = new PackBlockstore('./store', { readonly: true })
 * await reader.open()
 * await reader.close()
 * await writer.close()
 * ```
 */
export class StoreLockedError extends DagfsError {
  override readonly name = 'StoreLockedError'
  readonly code = 'ERR_STORE_LOCKED'
}

/**
 * Two sides of a merge changed the same in different ways, and nothing said what to do about it. Nothing was changed.
 * Merge again with a strategy, which may be a function that looks at each of the `conflicts`.
 *
 * @example
 *
 * ```ts
 * await fs.writeFile('/file', 'first')
 * const { root: base } = await fs.commit()
 * await fs.writeFile('/file', 'ours')
 * const { root: ours } = await fs.commit()
 * await fs.checkout(base)
 * await fs.writeFile('/file', 'theirs')
 *
 * await fs.merge(ours, { base }).catch(error => {
 *   console.log(error.code, error.conflicts[0].path, error.conflicts[0].kind) // ERR_MERGE_CONFLICT /file both-changed
 * })
 * await fs.merge(ours, { base, strategy: 'both' })
 * ```
 */
export class MergeConflictError <Conflict extends { readonly path: string, readonly kind: string } = { readonly path: string, readonly kind: string }> extends DagfsError {
  override readonly name = 'MergeConflictError'
  readonly code = 'ERR_MERGE_CONFLICT'
  /** What is in conflict, the first 1,000 of it */
  readonly conflicts: readonly Conflict[]

  constructor (conflicts: readonly Conflict[]) {
    const [{ path, kind }] = conflicts
    super(`${conflicts.length === 1 ? 'there is a conflict' : `there are ${conflicts.length} conflicts, the first one`} (${kind})`, { path })
    this.conflicts = conflicts
  }
}

/**
 * A store does not have a block, or there is no store. It is named as the stores of `interface-blockstore` name theirs.
 *
 * @example
 *
 * ```ts
 * import { PackBlockstore } from 'dagfs/pack'
 *
 * await new PackBlockstore('./store', { createIfMissing: false }).open().catch(error => {
 *   console.log(error.code) // ERR_NOT_FOUND
 * })
 *
 * const blockstore = new PackBlockstore('./store')
 * await blockstore.open() // makes one
 * await blockstore.close()
 * ```
 */
export class NotFoundError extends DagfsError {
  override readonly name = 'NotFoundError'
  readonly code = 'ERR_NOT_FOUND'
}

/**
 * A pack store is damaged, or a directory is none. `verify()` tells what can still be read.
 *
 * @example
 *
 * ```ts
 * import { stat, truncate } from 'node:fs/promises'
 * import { PackBlockstore } from 'dagfs/pack'
 *
 * const blockstore = new PackBlockstore('./store')
 * await blockstore.open()
 * await blockstore.roots.compareAndSet('main', undefined, Uint8Array.of(1))
 * const { size } = await stat('./store/segment-00000001.car')
 * await blockstore.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
 * await blockstore.close()
 * await truncate('./store/segment-00000001.car', size) // the end of the log is lost
 *
 * await blockstore.open().catch(error => {
 *   console.log(error.code) // ERR_CORRUPT_STORE
 * })
 * await blockstore.verify({ drop: true }) // accepts the loss
 * await blockstore.open()
 * console.log(await blockstore.roots.get('main')) // Uint8Array(1) [ 1 ]
 * await blockstore.close()
 * ```
 */
export class CorruptStoreError extends DagfsError {
  override readonly name = 'CorruptStoreError'
  readonly code = 'ERR_CORRUPT_STORE'
}

/**
 * A store is used before it was opened or after it was closed, or written to though it was opened for reading or cannot be
 * written.
 *
 * @example
 *
 * ```ts
 * import { PackBlockstore } from 'dagfs/pack'
 *
 * const blockstore = new PackBlockstore('./store')
 *
 * await blockstore.sync().catch(error => {
 *   console.log(error.code) // ERR_STORE_STATE
 * })
 * await blockstore.open()
 * await blockstore.sync()
 * await blockstore.close()
 * ```
 */
export class StoreStateError extends DagfsError {
  override readonly name = 'StoreStateError'
  readonly code = 'ERR_STORE_STATE'
}

/**
 * A CID's hash is not sha2-256, so that the store could not check what it reads.
 *
 * @example
 *
 * ```ts
 * import { UnsupportedHashError } from 'dagfs'
 * import { PackBlockstore } from 'dagfs/pack'
 * import { CID } from 'multiformats/cid'
 * import * as raw from 'multiformats/codecs/raw'
 * import { sha256, sha512 } from 'multiformats/hashes/sha2'
 *
 * const blockstore = new PackBlockstore('./store')
 * await blockstore.open()
 * const bytes = new TextEncoder().encode('hello')
 *
 * try {
 *   await blockstore.put(CID.createV1(raw.code, await sha512.digest(bytes)), bytes)
 * } catch (err) {
 *   if (!(err instanceof UnsupportedHashError)) {
 *     throw err
 *   }
 *
 *   await blockstore.put(CID.createV1(raw.code, await sha256.digest(bytes)), bytes)
 * }
 *
 * await blockstore.close()
 * ```
 */
export class UnsupportedHashError extends DagfsError {
  override readonly name = 'UnsupportedHashError'
  readonly code = 'ERR_UNSUPPORTED_HASH'
}

// numbers as on Linux, sentences as libuv has them
const systemErrors = {
  EACCES: [13, 'permission denied'],
  EBADF: [9, 'bad file descriptor'],
  EBUSY: [16, 'resource busy or locked'],
  EEXIST: [17, 'file already exists'],
  EFBIG: [27, 'file too large'],
  EINVAL: [22, 'invalid argument'],
  EISDIR: [21, 'illegal operation on a directory'],
  ELOOP: [40, 'too many symbolic links encountered'],
  ENAMETOOLONG: [36, 'name too long'],
  ENOENT: [2, 'no such file or directory'],
  ENOSYS: [38, 'function not implemented'],
  ENOTDIR: [20, 'not a directory'],
  ENOTEMPTY: [39, 'directory not empty'],
  ENOTSUP: [95, 'operation not supported'],
  EPERM: [1, 'operation not permitted'],
  EROFS: [30, 'read-only file system']
} as const

/** The codes of a `FileSystemError`, those of Linux. */
export type FileSystemErrorCode = keyof typeof systemErrors

/**
 * A path or open file cannot be used as asked. `code`, `errno`, `syscall`, `path` and `dest` are those that `node:fs`
 * would give on Linux.
 *
 * @example
 *
 * ```ts
 * await fs.readFile('/missing').catch(error => {
 *   console.log(error.code, error.syscall, error.path) // ENOENT open /missing
 * })
 * ```
 */
export class FileSystemError extends Error {
  override readonly name = 'FileSystemError'
  readonly code: FileSystemErrorCode
  /** The number of the code on Linux, negative as in Node */
  readonly errno: number
  readonly syscall: string
  /** Absent where an open file is concerned */
  declare readonly path?: string
  /** The second path, where there are two */
  declare readonly dest?: string

  constructor (code: FileSystemErrorCode, syscall: string, path?: string, reason?: string, dest?: string) {
    const [number, sentence] = systemErrors[code]
    const place = [path === undefined ? '' : ` ${printable(path)}`, dest === undefined ? '' : ` -> ${printable(dest)}`]
    super(`${code}: ${reason ?? sentence}, ${syscall}${place.join('')}`)
    this.code = code
    this.errno = -number
    this.syscall = syscall

    if (path !== undefined) {
      this.path = path
    }

    if (dest !== undefined) {
      this.dest = dest
    }
  }
}

/** What Node refuses of paths by itself, where the host would not. */
const operationErrors = {
  ERR_FS_CP_DIR_TO_NON_DIR: ['EISDIR', 'Cannot overwrite non-directory with directory'],
  ERR_FS_CP_EEXIST: ['EEXIST', 'Target already exists'],
  ERR_FS_CP_EINVAL: ['EINVAL', 'Invalid src or dest'],
  ERR_FS_CP_NON_DIR_TO_DIR: ['ENOTDIR', 'Cannot overwrite directory with non-directory'],
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: ['EINVAL', 'Cannot overwrite symlink in subdirectory of self'],
  ERR_FS_EISDIR: ['EISDIR', 'Path is a directory']
} as const

/**
 * A path cannot be used as asked, by Node's own rules for `cp` and `rm`. `name`, `code` and `info` are those that
 * `node:fs` would give.
 *
 * @example
 *
 * ```ts
 * await fs.mkdir('/directory')
 * await fs.rm('/directory').catch(error => {
 *   console.log(error.name, error.code) // SystemError ERR_FS_EISDIR
 * })
 * await fs.rm('/directory', { recursive: true })
 * ```
 */
export class OperationError extends Error {
  override readonly name = 'SystemError'
  readonly code: keyof typeof operationErrors
  readonly syscall: string
  readonly path: string
  readonly errno: number
  readonly info: { readonly code: FileSystemErrorCode, readonly message: string, readonly path: string, readonly syscall: string, readonly errno: number }

  constructor (code: keyof typeof operationErrors, syscall: string, path: string, reason: string) {
    const [systemCode, sentence] = operationErrors[code]
    const errno = systemErrors[systemCode][0]
    super(`${sentence}: ${syscall} returned ${systemCode} (${escaped(reason)}) ${escaped(path)}`)
    this.code = code
    this.syscall = syscall
    this.path = path
    this.errno = errno
    this.info = { code: systemCode, message: reason, path, syscall, errno }
  }
}

/** The codes of Node that say what is wrong with an argument, whatever the path. */
export type ArgumentErrorCode =
  | 'ERR_INCOMPATIBLE_OPTION_PAIR'
  | 'ERR_INVALID_ARG_TYPE'
  | 'ERR_INVALID_ARG_VALUE'
  | 'ERR_INVALID_FILE_URL_HOST'
  | 'ERR_INVALID_FILE_URL_PATH'
  | 'ERR_INVALID_URL_SCHEME'

/**
 * An argument has the wrong type or a value that cannot be used. `name` and `code` are those that `node:fs` would give.
 *
 * @example
 *
 * ```ts
 * await fs.readFile('/a\0b').catch(error => {
 *   console.log(error.name, error.code) // TypeError ERR_INVALID_ARG_VALUE
 * })
 * ```
 */
export class ArgumentError extends TypeError {
  override readonly name = 'TypeError'
  readonly code: ArgumentErrorCode

  constructor (code: ArgumentErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The `signal` that a call was given is aborted; its reason is the `cause`. `name`, `code` and `message` are those that
 * `node:fs` would give, in browsers as well.
 *
 * @example
 *
 * ```ts
 * await fs.writeFile('/file', 'hello')
 *
 * await fs.readFile('/file', { signal: AbortSignal.abort('no longer needed') }).catch(error => {
 *   console.log(error.name, error.code, error.cause) // AbortError ABORT_ERR no longer needed
 * })
 * ```
 */
export class AbortError extends Error {
  override readonly name = 'AbortError'
  readonly code = 'ABORT_ERR'

  constructor (reason: unknown) {
    super('The operation was aborted', { cause: reason })
  }
}

/**
 * A number is outside of what the call can take. `name` and `code` are those that `node:fs` would give.
 *
 * @example
 *
 * ```ts
 * await fs.writeFile('/file', 'hello')
 * const handle = await fs.open('/file')
 *
 * await handle.read(new Uint8Array(4), 0, 8).catch(error => {
 *   console.log(error.name, error.code) // RangeError ERR_OUT_OF_RANGE
 * })
 * await handle.close()
 * ```
 */
export class OutOfRangeError extends RangeError {
  override readonly name = 'RangeError'
  readonly code = 'ERR_OUT_OF_RANGE'

  constructor (argument: string, range: string, received: unknown) {
    super(`The value of "${argument}" is out of range. It must be ${range}. Received ${shown(received)}`)
  }
}

/**
 * A file has more bytes than can be read as one. `name` and `code` are those that `node:fs` would give.
 *
 * @example
 *
 * ```ts
 * await fs.writeFile('/file', '')
 * await fs.truncate('/file', 3 * 2 ** 30)
 *
 * await fs.readFile('/file').catch(error => {
 *   console.log(error.name, error.code) // RangeError ERR_FS_FILE_TOO_LARGE
 * })
 *
 * for await (const bytes of fs.cat('/file')) {
 *   console.log(bytes.byteLength)
 *   break
 * }
 * ```
 */
export class FileTooLargeError extends RangeError {
  override readonly name = 'RangeError'
  readonly code = 'ERR_FS_FILE_TOO_LARGE'

  constructor (size: number) {
    super(`File size (${size}) is greater than 2 GiB`)
  }
}

/**
 * The object cannot do this in its state. `name` and `code` are those that `node:fs` would give.
 *
 * @example
 *
 * ```ts
 * await fs.writeFile('/file', 'hello')
 * const handle = await fs.open('/file')
 * handle.readableWebStream() // only one can be made
 *
 * try {
 *   handle.readableWebStream()
 * } catch (err) {
 *   console.log(err instanceof Error && err.message) // Invalid state: The FileHandle is locked
 * }
 *
 * await handle.close()
 * ```
 */
export class InvalidStateError extends Error {
  override readonly name = 'Error'
  readonly code = 'ERR_INVALID_STATE'

  constructor (reason: string) {
    super(`Invalid state: ${reason}`)
  }
}

/**
 * More edits happened than a watcher was to keep. `name` and `code` are those that `node:fs` would give.
 *
 * @example
 *
 * ```ts
 * const overflow = fs.watch('/', { maxQueue: 1, overflow: 'error' }).next().catch(error => {
 *   console.log(error.code) // ERR_FS_WATCH_QUEUE_OVERFLOW
 * })
 * await Promise.all(['/a', '/b'].map(path => fs.writeFile(path, '')))
 * await overflow
 * ```
 */
export class WatchOverflowError extends Error {
  override readonly name = 'Error'
  readonly code = 'ERR_FS_WATCH_QUEUE_OVERFLOW'

  constructor (maxQueue: number) {
    super(`fs.watch() queued more than ${maxQueue} events`)
  }
}

/**
 * A directory is used after it was closed. `name` and `code` are those that `node:fs` would give.
 *
 * @example
 *
 * ```ts
 * const directory = await fs.opendir('/')
 * await directory.close()
 *
 * await directory.read().catch(error => {
 *   console.log(error.code) // ERR_DIR_CLOSED
 * })
 * ```
 */
export class DirectoryClosedError extends Error {
  override readonly name = 'Error'
  readonly code = 'ERR_DIR_CLOSED'

  constructor () {
    super('Directory handle was closed')
  }
}
