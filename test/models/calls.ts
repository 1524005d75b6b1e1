import type { Facts, FsPromises, Handle, Kind, PathFs } from './fs-promises.ts'

/** A filesystem under test, and the handles that operations have opened on it, in order. */
export interface System {
  readonly fs: PathFs
  readonly handles: Handle[]
}

/** One that has what is beyond the plain model. */
interface FullSystem extends System {
  readonly fs: FsPromises
}

type Access = 'r' | 'r+' | 'w' | 'w+' | 'wx' | 'wx+' | 'a' | 'a+' | 'ax'

/**
 * The operations that models and filesystems are compared by: each takes plain data, so that a sequence can be saved, and
 * answers plain data, which has to be equal.
 */
export const calls = {
  mkdir: async ({ fs }: System, path: string, recursive: boolean) => absolute(await fs.mkdir(path, { recursive })),
  writeFile: async ({ fs }: System, path: string, content: Content, flag: 'w' | 'wx' | 'a' | 'r+') => fs.writeFile(path, text(content), { flag }),
  appendFile: async ({ fs }: System, path: string, content: Content) => fs.appendFile(path, text(content)),
  readFile: async ({ fs }: System, path: string) => summary(await fs.readFile(path, 'utf8')),
  truncate: async ({ fs }: System, path: string, length: number) => fs.truncate(path, length),
  rename: async ({ fs }: System, from: string, to: string) => fs.rename(from, to),
  rm: async ({ fs }: System, path: string, recursive: boolean, force: boolean) => fs.rm(path, { recursive, force }),
  rmdir: async ({ fs }: System, path: string) => fs.rmdir(path),
  unlink: async ({ fs }: System, path: string) => fs.unlink(path),
  copyFile: async ({ fs }: System, from: string, to: string, mode: 0 | 1) => {
    // Node.js answers EISDIR, and has removed what was at the destination
    return await isDirectory(fs, from) ? 'not tried' : fs.copyFile(from, to, mode)
  },
  cp: async ({ fs }: FullSystem, from: string, to: string, options: CopyOptions) => {
    // Node.js looks at both at once, and tells of the one that fails first
    const source = await fs.lstat(from)

    // what links in a copied directory, and links that are copied onto links, lead to is more than Node.js can tell apart
    if (source.isDirectory() ? await hasLinks(fs) : source.isSymbolicLink() && await exists(fs, to)) {
      return 'not tried'
    }

    // Node.js removes a link that is at the destination before it reads the source, which may lead through it
    if (await isLink(fs, to) && absolute(await fs.realpath(from)) !== from) {
      return 'not tried'
    }

    return fs.cp(from, to, { ...options, verbatimSymlinks: true })
  },
  symlink: async ({ fs }: System, target: string, path: string) => fs.symlink(target, path),
  readlink: async ({ fs }: System, path: string) => fs.readlink(path),
  realpath: async ({ fs }: System, path: string) => absolute(await fs.realpath(path)),
  stat: async ({ fs }: System, path: string) => facts(await fs.stat(path)),
  lstat: async ({ fs }: System, path: string) => facts(await fs.lstat(path)),
  statMode: async ({ fs }: FullSystem, path: string) => (await fs.stat(path)).mode,
  lstatMode: async ({ fs }: FullSystem, path: string) => (await fs.lstat(path)).mode,
  readdir: async ({ fs }: System, path: string) => byBytes(await fs.readdir(path)),
  // without types, Node.js follows links on the way down, with them it does not
  readdirTypes: async ({ fs }: System, path: string, recursive: boolean) => (await fs.readdir(path, { recursive, withFileTypes: true }))
    .map(entry => `${entry.parentPath} ${entry.name} ${kindOf(entry)}`)
    .sort(compareBytes),
  access: async ({ fs }: FullSystem, path: string, mode: number) => fs.access(path, mode),
  chmod: async ({ fs }: FullSystem, path: string, mode: number) => fs.chmod(path, mode),
  utimes: async ({ fs }: FullSystem, path: string, seconds: number) => {
    await fs.utimes(path, seconds, seconds)
    return (await fs.stat(path)).mtimeMs
  },
  lutimes: async ({ fs }: FullSystem, path: string, seconds: number) => {
    await fs.lutimes(path, seconds, seconds)
    return (await fs.lstat(path)).mtimeMs
  },
  open: async ({ fs, handles }: FullSystem, path: string, flags: Access) => {
    handles.push(await fs.open(path, flags))
  },
  handleRead: async (system: System, slot: number, length: number, position: number | null) => {
    const { bytesRead, buffer } = await handle(system, slot).read(new Uint8Array(length), 0, length, position)
    return summary(new TextDecoder().decode(buffer.subarray(0, bytesRead)))
  },
  handleWrite: async (system: System, slot: number, content: Content, position: number | null) => {
    const bytes = new TextEncoder().encode(text(content))
    return (await handle(system, slot).write(bytes, 0, bytes.byteLength, position)).bytesWritten
  },
  handleReadFile: async (system: System, slot: number) => summary(await handle(system, slot).readFile('utf8')),
  handleWriteFile: async (system: System, slot: number, content: Content) => handle(system, slot).writeFile(text(content)),
  handleAppendFile: async (system: System, slot: number, content: Content) => handle(system, slot).appendFile(text(content)),
  handleTruncate: async (system: System, slot: number, length: number) => handle(system, slot).truncate(length),
  handleStat: async (system: System, slot: number) => {
    const stat = await handle(system, slot).stat()
    // that of a directory stays what it was when it was opened
    return stat.isDirectory() ? facts(stat) : { ...facts(stat), mode: stat.mode }
  },
  handleChmod: async (system: System, slot: number, mode: number) => {
    // the handle of a directory changes nothing
    return (await handle(system, slot).stat()).isDirectory() ? 'not tried' : handle(system, slot).chmod(mode)
  },
  handleSync: async (system: System, slot: number) => handle(system, slot).sync(),
  handleClose: async (system: System, slot: number) => handle(system, slot).close()
}

export type Call = keyof typeof calls

type Arguments<F> = F extends (system: never, ...args: infer A) => unknown ? A : never

/** One operation as plain data. */
export type Operation = { readonly [K in Call]: { readonly call: K, readonly args: Arguments<typeof calls[K]> } }[Call]

/** Content by a letter and how often it is repeated: short in a saved failure, long where chunks and blocks matter. */
export type Content = readonly [letter: string, length: number]

export interface CopyOptions {
  readonly recursive: boolean
  readonly force: boolean
  readonly errorOnExist: boolean
}

/** What an operation answered, or the facts of what it threw. */
export type Outcome = { readonly answer: unknown } | { readonly error: ErrorFacts }

interface ErrorFacts {
  readonly code: unknown
  readonly syscall: unknown
  readonly path: unknown
  readonly dest: unknown
  readonly message: string
}

/**
 * Applies one operation, and tells how it ended.
 *
 * @throws {unknown} what is thrown without a code: no filesystem means to throw that
 */
export async function perform (system: System, { call, args }: Operation): Promise<Outcome> {
  try {
    // the arguments are those of the call by the type of an operation, which TypeScript cannot follow through the table
    return { answer: await (calls[call] as unknown as (system: System, ...args: readonly unknown[]) => Promise<unknown>)(system, ...args) }
  } catch (err) {
    if (!(err instanceof Error) || !('code' in err)) {
      throw err
    }

    const { code, syscall, path, dest } = err as Error & Partial<ErrorFacts>

    // Node.js has more than one sentence for a handle that cannot be used
    const message = code === 'EBADF' ? '' : err.message

    return { error: { code, syscall, path: absolute(path), dest: absolute(dest), message } }
  }
}

/** Whether an operation can be applied: those of handles need one. */
export function isPossible ({ handles }: System, { call }: Operation): boolean {
  return !call.startsWith('handle') || handles.length > 0
}

async function hasLinks (fs: PathFs): Promise<boolean> {
  return (await fs.readdir('.', { recursive: true, withFileTypes: true })).some(entry => entry.isSymbolicLink())
}

async function isLink (fs: PathFs, path: string): Promise<boolean> {
  return fs.lstat(path).then(stat => stat.isSymbolicLink(), () => false)
}

async function exists (fs: PathFs, path: string): Promise<boolean> {
  return fs.lstat(path).then(() => true, () => false)
}

async function isDirectory (fs: PathFs, path: string): Promise<boolean> {
  return fs.stat(path).then(stat => stat.isDirectory(), () => false)
}

function handle ({ handles }: System, slot: number): Handle {
  return handles[slot % handles.length]
}

function text ([letter, length]: Content): string {
  return letter.repeat(length)
}

/** Runs of one character, so that long contents that differ are told apart at a glance */
export function summary (content: string): string {
  return content.replace(/([^])\1*/g, (run, character: string) => `${character === '\0' ? '0' : character}${run.length} `).trim()
}

/** The directory that relative paths of the host's filesystem begin at is the root of every other */
let base = ''

export function setBase (directory: string): void {
  base = directory
}

function absolute <T> (path: T): T | string {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    return path
  }

  return base !== '' && (path === base || path.startsWith(`${base}/`)) ? path.slice(base.length + 1) : path.slice(1)
}

function kindOf (entry: Kind): string {
  if (entry.isDirectory()) {
    return 'directory'
  }

  return entry.isSymbolicLink() ? 'link' : 'file'
}

function facts (stat: Facts): object {
  const kind = kindOf(stat)

  // hosts differ in the size of a directory
  return kind === 'directory' ? { kind } : { kind, size: stat.size }
}

function byBytes (names: readonly string[]): string[] {
  return [...names].sort(compareBytes)
}

const encoder = new TextEncoder()

function compareBytes (a: string, b: string): number {
  const [left, right] = [encoder.encode(a), encoder.encode(b)]
  const at = left.findIndex((byte, i) => byte !== right[i])

  return at === -1 ? left.length - right.length : left[at] - (right[at] ?? -1)
}
