import { throwIfAborted } from '../abort.ts'
import { attributesFault, targetFault } from '../codec/index.ts'
import { FileSystemError } from '../errors.ts'
import { writeFile, writeHashed } from '../file/index.ts'
import { SourceFailure, contentStream } from './content.ts'
import { fromMilliseconds } from './node-api/arguments.ts'
import type { EntryPlace } from './draft/draft.ts'
import type { AddedDirectory, AddedEntry, AddedFile, AddedSymlink } from './entry-types.ts'
import type { AddOptions } from './types.ts'
import type { BlockWriter } from '../blockstore/index.ts'
import type { Attributes, FileEntry, SymlinkEntry } from '../codec/index.ts'
import type { FileLayout, HashedBytes } from '../file/index.ts'
import type { PutOptions } from '../options.ts'

const encoder = new TextEncoder()

/** An entry, in its place, whose content is stored. */
export type StoredEntry = EntryPlace & (
  | { readonly change: 'set', readonly entry: FileEntry | SymlinkEntry }
  // null where it is to have none
  | { readonly change: 'make', readonly attributes: Attributes | null | undefined }
  | { readonly change: 'remove' }
)

/** What adapters of the package can add besides. */
export type Addition = (AddedEntry | BareDirectory | HashedFile | StoredAddition | StreamedFile | AbsentEntry) & {
  /** The names of its path, where they are known */
  readonly names?: readonly string[]
}

type OnStored = (bytes: Uint8Array) => void

/** A file whose stream uses its memory again. */
export interface StreamedFile extends AddedFile {
  /** Told of the bytes of blocks that were put, which may be pieces of the content or parts of them */
  readonly onStored?: OnStored
}

/** A file whose content is in the store. */
export interface StoredAddition extends Omit<AddedFile, 'content'> {
  readonly stored: Pick<FileEntry, 'content' | 'size'>
}

/** A file whose bytes are at hand and hashed. They must not be changed before the next but 16 is asked for, and may be a part of others. */
export interface HashedFile extends Omit<AddedFile, 'content'> {
  readonly hashed: HashedBytes
}

/** A directory that is to have no attributes, whatever it had: one that is added without any keeps its own. */
export interface BareDirectory extends Pick<AddedDirectory, 'kind' | 'path'> {
  readonly isBare: true
}

/** Whatever is at a path is to be gone. */
export interface AbsentEntry {
  readonly kind: 'absent'
  readonly path: string
}

/** Stores the content of an entry; returns undefined where it is to be left out. */
export function storeAdded (writer: BlockWriter, layout: FileLayout, added: Addition, names: readonly string[], options: AddOptions & PutOptions): StoredEntry | undefined | Promise<StoredEntry | undefined> {
  throwIfAborted(options.signal)
  const { path } = added

  if (added.kind === 'absent') {
    return { path, names, change: 'remove' }
  }

  if (added.kind === 'directory') {
    return { path, names, attributes: 'isBare' in added ? null : attributesOf(added), change: 'make' }
  }

  const attributes = attributesOf(added)

  const name = names.at(-1)

  if (name === undefined) {
    throw new FileSystemError('EISDIR', 'add', added.path)
  }

  if (added.kind === 'symlink') {
    return { path, names, change: 'set', entry: { name, ...link(added), attributes } }
  }

  const toEntry = ({ content, size }: StoredContent): StoredEntry => {
    return { path, names, change: 'set', entry: { name, kind: 'file', content, size, attributes } }
  }

  const stored = file(writer, layout, added, options)

  return stored instanceof Promise ? stored.then(content => content === undefined ? undefined : toEntry(content)) : toEntry(stored)
}

type StoredContent = Pick<FileEntry, 'content' | 'size'>

function file (writer: BlockWriter, layout: FileLayout, added: StreamedFile | HashedFile | StoredAddition, options: AddOptions & PutOptions): StoredContent | Promise<StoredContent | undefined> {
  if ('stored' in added) {
    return added.stored
  }

  if ('hashed' in added) {
    return writeHashed(block => writer.putAtOnce(block, options), added.hashed, layout)
  }

  return writeContent(writer, layout, added, options)
}

async function writeContent (writer: BlockWriter, layout: FileLayout, { content, path, onStored }: StreamedFile, options: AddOptions & PutOptions): Promise<StoredContent | undefined> {
  try {
    return await writeFile(async block => {
      await writer.put(block, options)
      onStored?.(block.bytes)
    }, contentStream(content, path, options), layout)
  } catch (err) {
    if (!(err instanceof SourceFailure)) {
      throw err
    }

    if (options.skip?.(err.cause, path) !== true) {
      throw err.cause
    }
  }
}

function link ({ path, target }: AddedSymlink): Pick<SymlinkEntry, 'kind' | 'content' | 'size'> {
  const fault = targetFault(target)

  if (fault !== undefined) {
    throw new FileSystemError('EINVAL', 'add', path, fault)
  }

  return { kind: 'symlink', content: target, size: encoder.encode(target).byteLength }
}

function attributesOf (added: AddedEntry | HashedFile | StoredAddition): Attributes | undefined {
  const { path, kind, meta, mtime } = added
  const mode = added.kind === 'symlink' ? undefined : added.mode

  if (meta === undefined && mode === undefined && mtime === undefined) {
    return
  }

  const attributes = {
    ...(meta === undefined ? {} : { meta }),
    ...(mode === undefined ? {} : { mode }),
    ...(mtime === undefined ? {} : { mtime: mtime instanceof Date ? fromMilliseconds(mtime.getTime()) : mtime })
  }
  const fault = attributesFault(attributes, kind === 'symlink')

  if (fault !== undefined) {
    throw new FileSystemError('EINVAL', 'add', path, fault)
  }

  return attributes
}
