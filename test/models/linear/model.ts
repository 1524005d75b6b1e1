import type { Operation, Result } from './operations.ts'

interface File {
  readonly content: string
  readonly mode: number
}

interface OpenFile {
  readonly file: number
  readonly position: number
  readonly canRead: boolean
  readonly canWrite: boolean
  readonly appends: boolean
}

/** What is at a path: the number of a file, or a directory. */
type Node = number | 'directory'

/**
 * A filesystem that does one operation after the other, as a value: files by number, what paths lead to, and what handles have
 * open.
 */
export interface State {
  readonly files: readonly File[]
  readonly paths: Readonly<Record<string, Node>>
  /** Null for one that was closed */
  readonly handles: ReadonlyArray<OpenFile | null | undefined>
}

export const empty: State = { files: [], paths: { '/': 'directory' }, handles: [] }

type Step = readonly [Result, State]

class Refused extends Error {
  readonly code: string

  constructor (code: string) {
    super(code)
    this.code = code
  }
}

/**
 * What an operation may return, and what is there behind it. A directory that is copied onto an equal one may be left as it is: then
 * its files are not replaced.
 */
export function steps (state: State, operation: Operation): readonly Step[] {
  const one = step(state, operation)
  const [, after] = one

  return operation.call === 'cp' && state.paths[operation.path] === 'directory' && JSON.stringify(treeOf(state)) === JSON.stringify(treeOf(after)) ? [one, [done, state]] : [one]
}

/** What an operation returns, and what is there behind it. */
export function step (state: State, operation: Operation): Step {
  try {
    return perform(state, operation)
  } catch (err) {
    if (err instanceof Refused) {
      return [{ error: err.code }, state]
    }

    throw err
  }
}

const done: Result = { value: null }

function perform (state: State, operation: Operation): Step {
  switch (operation.call) {
    case 'writeFile':
      return [done, change(...fileAt(state, operation.path), () => operation.text)]
    case 'appendFile':
      return [done, change(...fileAt(state, operation.path), content => content + operation.text)]
    case 'truncate':
      return [done, change(state, existingFile(state, operation.path), content => resized(content, operation.length))]
    case 'readFile':
      return [{ value: contentOf(state, operation.path) }, state]
    case 'stat':
      return [{ value: statOf(state.files[existingFile(state, operation.path)]) }, state]
    case 'chmod':
      return [done, withFile(state, existingFile(state, operation.path), { mode: operation.mode })]
    case 'copyFile':
      return copyFile(state, operation.path, operation.to)
    case 'addAll':
      return [done, addFile(state, operation.path, operation.text)]
    case 'rename':
      return [done, rename(state, operation.path, operation.to)]
    case 'unlink':
      return [done, unlink(state, operation.path)]
    case 'rm':
      return [done, withPaths(state, Object.entries(state.paths).filter(([path]) => !isWithin(path, operation.path)))]
    case 'mkdir':
      return [done, mkdir(state, operation.path)]
    case 'cp':
      return [done, copy(state, operation.path, operation.to)]
    case 'commit':
      return [{ value: treeOf(state) }, state]
    default:
      return performOpen(state, operation)
  }
}

function performOpen (state: State, operation: Extract<Operation, { readonly handle: number }>): Step {
  if (operation.call === 'open') {
    return [done, open(state, operation.handle, operation.path, operation.flags)]
  }

  const opened = state.handles[operation.handle]

  if (operation.call === 'close') {
    // once more it does nothing
    check(opened !== undefined, 'EBADF')

    return [done, withHandle(state, operation.handle, null)]
  }

  if (opened === undefined || opened === null) {
    throw new Refused('EBADF')
  }

  const { file } = opened

  switch (operation.call) {
    case 'sync':
      return [done, state]
    case 'handleStat':
      return [{ value: statOf(state.files[file]) }, state]
    case 'handleChmod':
      return [done, withFile(state, file, { mode: operation.mode })]
    case 'handleTruncate':
      check(opened.canWrite, 'EINVAL')
      return [done, change(state, file, content => resized(content, operation.length))]
    case 'read':
      return read(state, operation.handle, opened, operation.position)
    default:
      return write(state, operation.handle, opened, operation.text, operation.position)
  }
}

function read (state: State, handle: number, opened: OpenFile, position: number | null): Step {
  check(opened.canRead, 'EBADF')
  const bytes = state.files[opened.file].content.slice(position ?? opened.position, (position ?? opened.position) + 64)

  return [{ value: bytes }, position === null ? withHandle(state, handle, { ...opened, position: opened.position + bytes.length }) : state]
}

function write (state: State, handle: number, opened: OpenFile, text: string, position: number | null): Step {
  check(opened.canWrite, 'EBADF')
  const { content } = state.files[opened.file]
  const start = opened.appends ? content.length : position ?? opened.position
  const written = change(state, opened.file, () => resized(content, Math.max(content.length, start)).slice(0, start) + text + content.slice(start + text.length))

  return [done, position === null ? withHandle(written, handle, { ...opened, position: start + text.length }) : written]
}

function open (state: State, handle: number, path: string, flags: 'r' | 'r+' | 'a+' | 'w+'): State {
  const makes = flags === 'a+' || flags === 'w+'
  const [made, file] = makes ? fileAt(state, path) : [state, existingFile(state, path)] as const
  const cut = flags === 'w+' ? change(made, file, () => '') : made

  return withHandle(cut, handle, { file, position: 0, canRead: true, canWrite: flags !== 'r', appends: flags === 'a+' })
}

function copyFile (state: State, from: string, to: string): Step {
  const source = existingFile(state, from)

  if (from === to) {
    return [done, state]
  }

  const [made, target] = fileAt(state, to)

  return [done, withFile(made, target, state.files[source])]
}

/** Another file comes to be there, as `addAll` and `cp` have it. */
function putFile (state: State, path: string, file: File): State {
  checkParent(state, path)

  return { ...state, files: [...state.files, file], paths: { ...state.paths, [path]: state.files.length } }
}

function addFile (state: State, path: string, content: string): State {
  check(state.paths[path] !== 'directory', 'EISDIR')
  const parent = parentOf(path)
  check(state.paths[parent] === undefined || state.paths[parent] === 'directory', 'ENOTDIR')
  const made = state.paths[parent] === undefined ? { ...state, paths: { ...state.paths, [parent]: 'directory' as const } } : state

  return putFile(made, path, { content, mode: 0o644 })
}

function unlink (state: State, path: string): State {
  existingFile(state, path)

  return withPaths(state, Object.entries(state.paths).filter(([other]) => other !== path))
}

function mkdir (state: State, path: string): State {
  checkParent(state, path)
  check(state.paths[path] === undefined, 'EEXIST')

  return { ...state, paths: { ...state.paths, [path]: 'directory' } }
}

function rename (state: State, from: string, to: string): State {
  const source = existing(state, from)
  checkParent(state, to)

  if (from === to) {
    return state
  }

  const target = state.paths[to]
  check(!isWithin(to, from), 'EINVAL')
  check(!isWithin(from, to), 'ENOTEMPTY')

  if (target !== undefined) {
    check(source !== 'directory' || target === 'directory', 'ENOTDIR')
    check(source === 'directory' || target !== 'directory', 'EISDIR')
    check(Object.keys(state.paths).every(path => path === to || !isWithin(path, to)), 'ENOTEMPTY')
  }

  return withPaths(state, Object.entries(state.paths).filter(([path]) => path !== to).map(([path, node]) => [isWithin(path, from) ? to + path.slice(from.length) : path, node]))
}

/** Directories have one file at most, so that the copy of each is one step. */
function copy (state: State, from: string, to: string): State {
  const source = existing(state, from)
  check(from !== to || source === undefined, 'ERR_FS_CP_EINVAL')
  const target = state.paths[to]

  if (source !== 'directory') {
    check(target !== 'directory', 'ERR_FS_CP_NON_DIR_TO_DIR')
    const parent = parentOf(to)
    const made = state.paths[parent] === undefined ? mkdir(state, parent) : state

    return putFile(made, to, state.files[source])
  }

  check(target === undefined || target === 'directory', 'ERR_FS_CP_DIR_TO_NON_DIR')
  const made = target === undefined ? mkdir(state, to) : state

  return Object.entries(state.paths)
    .filter(([path]) => path !== from && isWithin(path, from))
    .reduce((copied, [path]) => copy(copied, path, to + path.slice(from.length)), made)
}

function treeOf ({ paths, files }: State): Record<string, string> {
  return Object.fromEntries(Object.entries(paths)
    .map(([path, node]) => [path, node === 'directory' ? 'directory' : files[node].content] as const)
    .sort(([a], [b]) => a < b ? -1 : 1))
}

function contentOf (state: State, path: string): string {
  return state.files[existingFile(state, path)].content
}

function statOf ({ content, mode }: File): string {
  return `${content.length} ${mode.toString(8)}`
}

function existing (state: State, path: string): Node {
  checkParent(state, path)
  const node = state.paths[path]

  if (node === undefined) {
    throw new Refused('ENOENT')
  }

  return node
}

function existingFile (state: State, path: string): number {
  const node = existing(state, path)

  if (node === 'directory') {
    throw new Refused('EISDIR')
  }

  return node
}

/** The file at a path, which is made where it is missing. */
function fileAt (state: State, path: string): readonly [State, number] {
  checkParent(state, path)

  return state.paths[path] === undefined
    ? [putFile(state, path, { content: '', mode: 0o644 }), state.files.length]
    : [state, existingFile(state, path)]
}

function checkParent (state: State, path: string): void {
  const parent = state.paths[parentOf(path)]
  check(parent !== undefined, 'ENOENT')
  check(parent === 'directory', 'ENOTDIR')
}

function check (holds: boolean, code: string): void {
  if (!holds) {
    throw new Refused(code)
  }
}

function parentOf (path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

function isWithin (path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}

function resized (content: string, length: number): string {
  return content.slice(0, length).padEnd(length, '\0')
}

function change (state: State, file: number, edit: (content: string) => string): State {
  return withFile(state, file, { content: edit(state.files[file].content) })
}

function withFile (state: State, file: number, changed: Partial<File>): State {
  return { ...state, files: state.files.map((given, i) => i === file ? { ...given, ...changed } : given) }
}

function withPaths (state: State, entries: ReadonlyArray<readonly [string, Node]>): State {
  return { ...state, paths: Object.fromEntries(entries) }
}

function withHandle (state: State, handle: number, opened: OpenFile | null): State {
  const handles = [...state.handles]
  handles[handle] = opened

  return { ...state, handles }
}
