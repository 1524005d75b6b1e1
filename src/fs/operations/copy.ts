import { throwIfAborted } from '../../abort.ts'
import { Budget, heldLimits } from '../../budget.ts'
import { FileSystemError, OperationError } from '../../errors.ts'
import { isWithin, joinPath, normalPath, parentPath, withoutLastSlash } from '../../path.ts'
import { canonicalPath, locate } from '../../tree/index.ts'
import { DraftDirectory } from '../draft/directory.ts'
import { withStoredFiles } from '../draft/stored-files.ts'
import { copyOf, whileStored } from './copy-file.ts'
import { copiedTarget, copyLink } from './copy-link.ts'
import { makeDirectories } from './make.ts'
import { endsWithDots, entryOf, isPlace, isTooDeep, locateMaybe, locateName, locatePresent, newAttributes, put } from './place.ts'
import type { Found, Place } from './place.ts'
import type { LimitOptions } from '../../budget.ts'
import type { Located, TreeDirectory } from '../../tree/index.ts'
import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../draft/workspace.ts'

/**
 * `limits` are of directories that are not copied by their CIDs, because something is in their place or `filter` is to be asked.
 * Default: 1,000,000 entries, 4,000,000 blocks, 1 GiB
 */
export interface CopyOptions extends LimitOptions {
  /** Copy directories with all that is in them. Default: false */
  readonly recursive?: boolean
  /** Replace files that are there. Default: true */
  readonly force?: boolean
  /** Without `force`, refuse files that are there, in place of leaving them as they are. Default: false */
  readonly errorOnExist?: boolean
  /** Copy what links point to, not the links. Default: false */
  readonly dereference?: boolean
  /** Keep the recorded time of files; in whole directories it is kept always. Default: false */
  readonly preserveTimestamps?: boolean
  /** Copy links as they are; where false, relative targets become absolute. Default, other than in Node: true */
  readonly verbatimSymlinks?: boolean
  /** Bits of `copyFile`'s `mode`, from 0 to 7, as Node has it: how files are copied is the same with each. Default: 0 */
  readonly mode?: number
  /**
   * Whether to copy something, and what is in it. Without, a directory is copied by its CID where nothing is in its place.
   *
   * @example
   *
   * ```ts
   * await fs.addAll(['/site/index.html', '/site/draft/new.html'].map(path => ({ path, content: '' })))
   * await fs.cp('/site', '/public', { recursive: true, filter: source => source !== '/site/draft' })
   * console.log(await fs.readdir('/public')) // [ 'index.html' ]
   * ```
   */
  filter?(source: string, destination: string): boolean | Promise<boolean>
}

type Edit = <T>(edit: (draft: Draft) => Promise<T>) => Promise<T>

interface Copy {
  readonly workspace: Workspace
  readonly options: CopyOptions
  readonly budget: Budget
  readonly edit: Edit
}

/**
 * Copies a file, link or directory. Missing directories above the destination are made.
 *
 * @throws {FileSystemError} ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG where something would lie more than 1,024 segments deep
 * @throws {OperationError} ERR_FS_EISDIR, ERR_FS_CP_EINVAL, ERR_FS_CP_EEXIST, ERR_FS_CP_DIR_TO_NON_DIR,
 * ERR_FS_CP_NON_DIR_TO_DIR
 * @throws {LimitExceededError} where more is to be copied one by one than `limits` allow
 */
export async function copy (workspace: Workspace, from: string, to: string, { limits, ...options }: CopyOptions): Promise<void> {
  const budget = Budget.of(limits, heldLimits, from)

  // a filter is the caller's own and may use the filesystem, which must not be locked then
  if (options.filter !== undefined || options.dereference === true) {
    await copyChecked({ workspace, options, budget, edit: async edit => workspace.edit(edit, options) }, from, to)
    return
  }

  await workspace.edit(async draft => copyChecked({ workspace, options, budget, edit: async edit => edit(draft) }, from, to), options)
}

async function copyChecked (work: Copy, from: string, to: string): Promise<void> {
  if (!await isWanted(work, from, to)) {
    return
  }

  const { source, target } = await work.edit(async draft => locateBoth(work, draft, from, to))
  await work.edit(async draft => makeDirectories(work.workspace, draft, parentPath(to), undefined, work.options))

  if (target?.node === undefined && (endsWithDots(to) || (target === undefined && await work.edit(async draft => isTaken(work, draft, source, to))))) {
    refuseNewPlace(work, source, from, to, 'EEXIST')
  }

  await copyOne(work, from, to)
}

async function copyOne (work: Copy, from: string, to: string): Promise<void> {
  throwIfAborted(work.options.signal)
  const names = await work.edit(async draft => copyHere(work, draft, from, to))

  for (const name of names) {
    const [source, destination] = [pathBelow(from, name), pathBelow(to, name)]

    if (await isWanted(work, source, destination)) {
      await copyOne(work, source, destination)
    }
  }
}

/** As in Node, without what is needless; but `..` is kept, since a link may be before it. */
function pathBelow (directory: string, name: string): string {
  const path = joinPath(withoutLastSlash(directory), name)

  return path.split('/').includes('..') ? path : normalPath(path)
}

/** Whether something is in a place after all, now that the directories above were made: `new/../there`. A file may replace a file. */
async function isTaken ({ options }: Copy, draft: Draft, source: Found, to: string): Promise<boolean> {
  const { node } = await locate(draft.root, to, 'lstat', { ...options, keepEnd: true })

  return node !== undefined && !(source.node.kind === 'file' && node.kind === 'file')
}

/** As in Node, what a filter does not want is not looked at either. */
async function isWanted ({ options: { filter } }: Copy, from: string, to: string): Promise<boolean> {
  return filter === undefined || Boolean(await filter(from, to))
}

/** Refuses a place where no entry can be made, as the system call that is to make it does: `new/.`, or `new/` for what is no directory. */
function refuseNewPlace ({ options }: Copy, { node }: Found, from: string, to: string, code: 'EEXIST' | 'ENOENT'): void {
  if (node.kind === 'directory') {
    if (code === 'EEXIST') {
      throw options.recursive === true ? new FileSystemError('EEXIST', 'mkdir', to) : isDirectory(from)
    }
  } else if (node.kind === 'symlink') {
    throw new FileSystemError(code, 'symlink', copiedTarget(options, node, from), undefined, to)
  } else {
    throw new FileSystemError('EISDIR', 'copyfile', from, undefined, to)
  }
}

function isDirectory (from: string): OperationError {
  return new OperationError('ERR_FS_EISDIR', 'cp', from, `${from} is a directory (not copied)`)
}

/** Refuses a name that is too long as the system call that is to make it does, once the directories above it were made. */
async function refuseLongName ({ options }: Copy, draft: Draft, from: string, to: string, err: unknown): Promise<never> {
  if (!(err instanceof FileSystemError && err.code === 'ENAMETOOLONG' && err.path === to)) {
    throw err
  }

  const { node } = await locatePresent(draft.root, from, 'lstat', { ...options, keepLink: options.dereference !== true })

  switch (node.kind) {
    case 'directory':
      throw options.recursive === true ? new FileSystemError(err.code, 'mkdir', to) : isDirectory(from)
    case 'symlink':
      throw new FileSystemError(err.code, 'symlink', copiedTarget(options, node, from), undefined, to)
    default:
      throw new FileSystemError(err.code, 'copyfile', from, undefined, to)
  }
}

/** Copies what can be copied at once; returns the names of what is still to be copied below. */
async function copyHere (work: Copy, draft: Draft, from: string, to: string): Promise<string[]> {
  const { workspace, options } = work
  const { source, target } = await locateBoth(work, draft, from, to).catch(async err => refuseLongName(work, draft, from, to, err))

  // as Node, which has made the directories above by then
  if (source.node.kind === 'directory' && options.recursive !== true) {
    throw isDirectory(from)
  }

  if (target?.node !== undefined && source.node.kind !== 'symlink') {
    checkReplacement(to, options)
  }

  if (target?.node === undefined && to.endsWith('/')) {
    const { node } = await locateName(draft.root, to, 'lstat', options)
    refuseNewPlace(work, source, from, to, node === undefined ? 'ENOENT' : 'EEXIST')
  }

  if (target === undefined || !isPlace(target)) {
    return source.node.kind === 'directory' ? namesIn(work, source.node) : []
  }

  switch (source.node.kind) {
    case 'directory':
      if (await isTooDeep(source, target, options)) {
        throw new FileSystemError('ENAMETOOLONG', 'cp', from, undefined, to)
      }

      return copyDirectory(work, draft, source.node, target)
    case 'symlink':
      await copyLink(workspace, draft, source.node, target, from, to, options)
      return []
    default:
      // a file that is there is replaced, not written to: whoever has it open keeps it
      if (target.node === undefined || options.force !== false) {
        const time = options.preserveTimestamps === true ? source.node.attributes?.mtime : workspace.now()
        await whileStored(source.node, async entry => { put(workspace, draft, target, copyOf(entry, target.name, time)) }, options)
      }

      return []
  }
}

async function locateBoth ({ options }: Copy, draft: Draft, from: string, to: string): Promise<{ source: Found, target: Located | undefined }> {
  const keepLink = options.dereference !== true
  const source = await locatePresent(draft.root, from, keepLink ? 'lstat' : 'stat', { ...options, keepLink })
  const target = await locateMaybe(draft.root, to, keepLink ? 'lstat' : 'stat', { ...options, keepLink })
  const [sourcePath, targetPath] = [canonicalPath(source), target === undefined ? normalPath(`/${to}`) : canonicalPath(target)]

  if (target?.node !== undefined && sourcePath === targetPath) {
    throw new OperationError('ERR_FS_CP_EINVAL', 'cp', to, 'src and dest cannot be the same')
  }

  if (target?.node !== undefined) {
    checkKinds(source, target, from, to)
  }

  // as in Node, also where a link within the source leads elsewhere
  if (source.node.kind === 'directory' && (isWithin(targetPath, sourcePath) || isWithin(normalPath(`/${to}`), normalPath(`/${from}`)))) {
    throw new OperationError('ERR_FS_CP_EINVAL', 'cp', to, `cannot copy ${from} to a subdirectory of self ${to}`)
  }

  return { source, target: keepLink ? target : await throughLink(draft, source, target, from, to, options) }
}

/**
 * With `dereference`, a link in the place of the copy counts as what it leads to, and a file takes its place. Where it leads
 * nowhere, a file is written to where it would lead, and a directory is refused.
 */
async function throughLink (draft: Draft, { node }: Found, target: Located | undefined, from: string, to: string, options: CopyOptions): Promise<Located | undefined> {
  const place = await locateMaybe(draft.root, to, 'stat', { ...options, keepLink: true })

  if (place?.node?.kind !== 'symlink') {
    return target
  }

  if (target?.node !== undefined) {
    return node.kind === 'directory' ? target : place
  }

  if (node.kind === 'directory') {
    // without `recursive`, another refusal comes later
    if (options.recursive === true) {
      throw new FileSystemError('EEXIST', 'mkdir', to)
    }

    return target
  }

  if (target === undefined) {
    throw new FileSystemError('ENOENT', 'copyfile', from, undefined, to)
  }

  return target
}

function checkKinds (source: Found, target: Located, from: string, to: string): void {
  const [isDirectory, toDirectory] = [source.node.kind === 'directory', target.node?.kind === 'directory']

  if (isDirectory && !toDirectory) {
    throw new OperationError('ERR_FS_CP_DIR_TO_NON_DIR', 'cp', to, `cannot overwrite non-directory ${to} with directory ${from}`)
  }

  if (!isDirectory && toDirectory) {
    throw new OperationError('ERR_FS_CP_NON_DIR_TO_DIR', 'cp', to, `cannot overwrite directory ${to} with non-directory ${from}`)
  }
}

function checkReplacement (to: string, { force = true, errorOnExist = false }: CopyOptions): void {
  if (!force && errorOnExist) {
    throw new OperationError('ERR_FS_CP_EEXIST', 'cp', to, `${to} already exists`)
  }
}

async function copyDirectory (work: Copy, draft: Draft, source: TreeDirectory, target: Place): Promise<string[]> {
  const { workspace, options } = work
  const isWhole = options.filter === undefined && options.dereference !== true && options.verbatimSymlinks !== false

  if (target.node === undefined && isWhole) {
    if (source instanceof DraftDirectory) {
      await withStoredFiles(source.files(), async entries => { put(workspace, draft, target, source.copy(entries)) }, options)
    } else {
      put(workspace, draft, target, await entryOf(workspace.blocks, source, target.name, options))
    }

    return []
  }

  if (isWhole && source.cid !== undefined && target.node?.kind === 'directory' && target.node.cid?.equals(source.cid) === true) {
    // all that is in it is there already
    return []
  }

  const names = await namesIn(work, source)

  if (target.node === undefined) {
    const { attributes } = newAttributes(workspace, undefined)
    const mode = source.attributes?.mode
    put(workspace, draft, target, draft.newDirectory(target.name, mode === undefined ? attributes : { ...attributes, mode }))
  }

  return names
}

async function namesIn ({ options: { signal }, budget }: Copy, directory: TreeDirectory): Promise<string[]> {
  const names: string[] = []

  for await (const { name } of directory.view.list({}, { signal, budget })) {
    budget.spend('entries', 1)
    names.push(name)
  }

  return names
}
