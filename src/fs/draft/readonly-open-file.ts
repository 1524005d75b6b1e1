import { recentBlocks } from '../../blockstore/index.ts'
import { FileSystemError } from '../../errors.ts'
import { readFile } from '../../file/index.ts'
import { statsOf } from '../node-api/stats.ts'
import { locateToOpen } from '../operations/open.ts'
import { isStored } from '../operations/place.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { Attributes, FileEntry } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { TreeDirectory } from '../../tree/index.ts'
import type { OpenFile } from '../handle/open-file.ts'
import type { OpenFlags } from '../node-api/flags.ts'
import type { Stats } from '../node-api/stats.ts'

/**
 * What is open and cannot be written to by whoever has it: a file of a view, or a directory.
 */
export class ReadonlyOpenFile implements OpenFile {
  readonly #blocks: BlockReader
  readonly #node: FileEntry | TreeDirectory

  constructor (blocks: BlockReader, node: FileEntry | TreeDirectory) {
    this.#blocks = blocks
    this.#node = node
  }

  get size (): number {
    return this.#node.size
  }

  get attributes (): Attributes | undefined {
    return this.#node.attributes
  }

  async * read (offset: number, length: number, options: AbortOptions): AsyncGenerator<Uint8Array> {
    if (this.#node.kind === 'directory') {
      throw new FileSystemError('EISDIR', 'read')
    }

    yield * readFile(this.#blocks, this.#node, offset, length, options)
  }

  version (): this {
    return this
  }

  async write (): Promise<never> {
    this.#refuse('write')
  }

  async truncate (): Promise<void> {
    this.#refuse('ftruncate')
  }

  async setAttributes (): Promise<void> {
    this.#refuse('fchmod')
  }

  #refuse (syscall: string): never {
    throw this.#node.kind === 'directory' ? new FileSystemError('ENOTSUP', syscall) : new FileSystemError('EROFS', syscall)
  }

  async stat (): Promise<Stats> {
    return statsOf(this.#node) as Stats
  }

  async sync (): Promise<void> {}

  async release (): Promise<void> {}
}

/**
 * Opens what a path leads to in a tree that cannot be changed.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, EEXIST, and EROFS where it is to be made or written to
 */
export async function openStored (blocks: BlockReader, root: TreeDirectory, path: string, flags: OpenFlags, options: AbortOptions): Promise<ReadonlyOpenFile> {
  const { node } = await locateToOpen(root, { path, flags }, options)

  if (flags.write || flags.truncate || (node === undefined && flags.create)) {
    throw new FileSystemError('EROFS', 'open', path)
  }

  if (node === undefined || node.kind === 'symlink' || !(node.kind === 'directory' || isStored(node))) {
    throw new FileSystemError('ENOENT', 'open', path)
  }

  return new ReadonlyOpenFile(recentBlocks(blocks), node)
}
