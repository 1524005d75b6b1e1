import all from 'it-all'
import type { DagFs, FileHandle } from '../../../src/index.ts'

/** A call, as plain data. */
export type Operation =
  { readonly call: 'writeFile' | 'appendFile' | 'addAll', readonly path: string, readonly text: string } |
  { readonly call: 'truncate', readonly path: string, readonly length: number } |
  { readonly call: 'chmod', readonly path: string, readonly mode: number } |
  { readonly call: 'readFile' | 'stat' | 'unlink' | 'rm' | 'mkdir', readonly path: string } |
  { readonly call: 'copyFile' | 'rename' | 'cp', readonly path: string, readonly to: string } |
  { readonly call: 'commit' } |
  { readonly call: 'open', readonly handle: number, readonly path: string, readonly flags: 'r' | 'r+' | 'a+' | 'w+' } |
  { readonly call: 'close', readonly handle: number } |
  { readonly call: 'sync' | 'handleStat', readonly handle: number } |
  { readonly call: 'handleTruncate', readonly handle: number, readonly length: number } |
  { readonly call: 'handleChmod', readonly handle: number, readonly mode: number } |
  { readonly call: 'read', readonly handle: number, readonly position: number | null } |
  { readonly call: 'write', readonly handle: number, readonly text: string, readonly position: number | null }

/** What a call returned, or the code of its error. */
export type Result = { readonly value: unknown } | { readonly error: string }

/** A filesystem and its handles, by their numbers. */
export interface Subject {
  readonly fs: DagFs
  readonly handles: Array<FileHandle | undefined>
}

export async function run (subject: Subject, operation: Operation): Promise<Result> {
  try {
    return { value: await call(subject, operation) ?? null }
  } catch (err) {
    const { code } = err as { code?: unknown }

    if (typeof code !== 'string') {
      throw err
    }

    return { error: code }
  }
}

async function call ({ fs, handles }: Subject, operation: Operation): Promise<unknown> {
  switch (operation.call) {
    case 'writeFile':
      return fs.writeFile(operation.path, operation.text)
    case 'appendFile':
      return fs.appendFile(operation.path, operation.text)
    case 'addAll':
      await fs.addAll([{ path: operation.path, content: new TextEncoder().encode(operation.text) }])
      return
    case 'truncate':
      return fs.truncate(operation.path, operation.length)
    case 'chmod':
      return fs.chmod(operation.path, operation.mode)
    case 'readFile':
      return fs.readFile(operation.path, 'utf8')
    case 'stat':
      return facts(await fs.stat(operation.path))
    case 'unlink':
      return fs.unlink(operation.path)
    case 'rm':
      return fs.rm(operation.path, { recursive: true, force: true })
    case 'mkdir':
      return fs.mkdir(operation.path)
    case 'copyFile':
      return fs.copyFile(operation.path, operation.to)
    case 'rename':
      return fs.rename(operation.path, operation.to)
    case 'cp':
      return fs.cp(operation.path, operation.to, { recursive: true })
    case 'commit':
      return treeOf(fs)
    case 'open':
      handles[operation.handle] = await fs.open(operation.path, operation.flags)
      return
    default:
      return callHandle(handles[operation.handle], operation)
  }
}

async function callHandle (handle: FileHandle | undefined, operation: Exclude<Extract<Operation, { readonly handle: number }>, { readonly call: 'open' }>): Promise<unknown> {
  if (handle === undefined) {
    throw Object.assign(new Error('not open'), { code: 'EBADF' })
  }

  switch (operation.call) {
    case 'close':
      return handle.close()
    case 'sync':
      return handle.sync()
    case 'handleStat':
      return facts(await handle.stat())
    case 'handleTruncate':
      return handle.truncate(operation.length)
    case 'handleChmod':
      return handle.chmod(operation.mode)
    case 'read': {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(64), 0, 64, operation.position)
      return new TextDecoder().decode(buffer.subarray(0, bytesRead))
    }
    default:
      await handle.write(operation.text, operation.position)
  }
}

function facts ({ size, mode }: { readonly size: number, readonly mode: number }): string {
  return `${size} ${(mode & 0o777).toString(8)}`
}

/** All that is in the root of a commit. */
async function treeOf (fs: DagFs): Promise<Record<string, string>> {
  const { root } = await fs.commit()
  const view = fs.at(root)
  const tree: Record<string, string> = { '/': 'directory' }

  for (const { path, kind } of await all(view.walk('/'))) {
    tree[path] = kind === 'directory' ? kind : await view.readFile(path, 'utf8')
  }

  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => a < b ? -1 : 1))
}
