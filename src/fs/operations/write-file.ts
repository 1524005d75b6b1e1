import { turnToAbort } from '../../abort.ts'
import { FileSystemError } from '../../errors.ts'
import { writeFile as storeFile } from '../../file/index.ts'
import { locateKnown } from '../../tree/index.ts'
import { SourceFailure, bytesStream, copiedBytes } from '../content.ts'
import { DraftFile, writtenAttributes } from '../draft/file.ts'
import { bytesOf } from '../handle/transfer.ts'
import { bytesOfPiece } from '../handle/write-pieces.ts'
import { wrongType } from '../node-api/arguments.ts'
import { encodeText } from '../node-api/encoding.ts'
import { locateToOpen, open, openToWrite } from './open.ts'
import { isPlace, newAttributes, put, tell } from './place.ts'
import type { OpenRequest } from './open.ts'
import type { FileLayout, FileSource, StoredFile } from '../../file/index.ts'
import type { AbortOptions } from '../../options.ts'
import type { Located } from '../../tree/index.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'
import type { WritableContent } from '../handle/write-pieces.ts'
import type { Encoding } from '../node-api/encoding.ts'

/**
 * Writes a whole file. Its content is stored before it is put into the draft at once, so that readers never see a part.
 *
 * @throws {FileSystemError} ENOENT, EEXIST, EISDIR, ENOTDIR, ELOOP, and EBADF for flags that do not write
 */
export async function writeFile (workspace: Workspace, request: OpenRequest, data: WritableContent, encoding: Encoding | undefined, options: AbortOptions): Promise<void> {
  const source = dataSource(data, encoding, request.path, options)

  if (options.signal !== undefined) {
    await turnToAbort(options.signal)
  }

  const isReplaced = request.flags.truncate && request.flags.write

  if (isReplaced && replaceKnown(workspace, request, source)) {
    return
  }

  try {
    await (isReplaced ? replaceFile(workspace, request, source, options) : writeInto(workspace, request, source, options))
  } catch (err) {
    throw err instanceof SourceFailure ? err.cause : err
  }
}

/** The bytes of data, in a copy where the caller may go on to change them. */
function dataSource (data: WritableContent, encoding: Encoding | undefined, path: string, options: AbortOptions): FileSource {
  if (typeof data === 'string') {
    return encodeText(data, encoding)
  }

  if (ArrayBuffer.isView(data)) {
    return copiedBytes(data instanceof Uint8Array ? data : bytesOf(data))
  }

  const isStream = Object(data) === data && (data instanceof Blob || Symbol.asyncIterator in data || Symbol.iterator in data || 'getReader' in data)

  if (!isStream) {
    throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
  }

  return bytesStream(data, path, options, piece => bytesOfPiece(piece, encoding))
}

/** Puts a small file into the draft at once, where nobody else edits and nothing has to be read; returns whether it did. */
function replaceKnown (workspace: Workspace, request: OpenRequest, source: FileSource): boolean {
  const { path, flags } = request
  const draft = workspace.idleDraft

  if (draft === undefined || !isInlined(source, workspace.layout) || flags.exclusive || flags.noFollow || flags.directory) {
    return false
  }

  const located = locateKnown(draft.root, path, 'open', { creates: flags.create })

  return located !== undefined && replaceAt(workspace, draft, located, request, inlined(source)) === undefined
}

async function replaceFile (workspace: Workspace, request: OpenRequest, source: FileSource, options: AbortOptions): Promise<void> {
  const { root, writer } = workspace.idleDraft ?? await workspace.open(options)
  const { layout } = workspace

  if (isInlined(source, layout)) {
    await workspace.edit(async draft => replaceIn(workspace, draft, request, inlined(source), options), options)
    return
  }

  // before the source is read
  checkReplaceable(await locateToOpen(root, request, options), request)
  await workspace.storing(async () => {
    const stored = await storeFile(async block => writer.put(block, options), source, layout)
    await workspace.edit(async draft => replaceIn(workspace, draft, request, stored, options), options)
  })
}

/** Whether the entry holds the content itself. */
function isInlined (source: FileSource, { inlineBytes }: FileLayout): source is Uint8Array {
  return source instanceof Uint8Array && source.byteLength <= inlineBytes
}

function inlined (content: Uint8Array): StoredFile {
  return { content, size: content.byteLength }
}

async function replaceIn (workspace: Workspace, draft: Draft, request: OpenRequest, stored: StoredFile, options: AbortOptions): Promise<void> {
  const file = replaceAt(workspace, draft, await locateToOpen(draft.root, request, options), request, stored)

  if (file !== undefined) {
    await workspace.files.use(file, async () => file.take(stored, options), options)
  }
}

/** Puts a file where a path leads; returns the file that is open there and has to take the content itself. */
function replaceAt (workspace: Workspace, draft: Draft, located: Located, request: OpenRequest, { content, size }: StoredFile): DraftFile | undefined {
  checkReplaceable(located, request)
  const { node, name, way } = located

  if (name === undefined || node?.kind === 'directory') {
    return
  }

  const open = workspace.files.openAt(located)

  if (open !== undefined) {
    return open
  }

  if (node === undefined) {
    put(workspace, draft, { ...located, name }, { name, kind: 'file', content, size, ...newAttributes(workspace, request.mode) })
    return
  }

  const attributes = writtenAttributes(node.attributes, workspace.now())
  draft.set(draft.open(way), name, { name, kind: 'file', content, size, ...(attributes === undefined ? {} : { attributes }) }, node)
  tell(workspace, 'change', { way, name })
}

function checkReplaceable (located: Located, { path, flags, syscall = 'open' }: OpenRequest): void {
  if (located.node?.kind === 'directory' || !isPlace(located)) {
    throw new FileSystemError('EISDIR', syscall, path)
  }

  if (located.node === undefined && !flags.create) {
    throw new FileSystemError('ENOENT', syscall, path)
  }
}

async function writeInto (workspace: Workspace, request: OpenRequest, source: FileSource, options: AbortOptions): Promise<void> {
  if (source instanceof Uint8Array && request.flags.write) {
    await changeFile(workspace, request, async file => file.write(request.flags.append ? 'end' : 0, source, options), options)
    return
  }

  const file = await open(workspace, request, options)

  if (!(file instanceof DraftFile)) {
    throw new FileSystemError('EBADF', 'write')
  }

  try {
    if (!request.flags.write) {
      throw new FileSystemError('EBADF', 'write')
    }

    let position = 0

    for await (const bytes of source instanceof Uint8Array ? [source] : source) {
      await file.write(request.flags.append ? 'end' : position, bytes, options)
      position += bytes.byteLength
    }
  } finally {
    await file.release(options)
  }
}

/** Opens a file, changes it and closes it again, while nobody else edits. */
async function changeFile (workspace: Workspace, request: OpenRequest, change: (file: DraftFile) => Promise<unknown>, options: AbortOptions): Promise<void> {
  await workspace.edit(async draft => {
    const file = await openToWrite(workspace, draft, request, options)

    try {
      await change(file)
    } finally {
      await file.release(options, true)
    }
  }, options)
}

/**
 * Cuts or extends a file to a length.
 *
 * @throws {FileSystemError} ENOENT, EISDIR, ENOTDIR, ELOOP, EFBIG
 */
export async function truncate (workspace: Workspace, request: OpenRequest, length: number, options: AbortOptions): Promise<void> {
  await changeFile(workspace, request, async file => file.truncate(length, options), options)
}
