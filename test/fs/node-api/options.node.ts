import { describeBesideNode } from '../../beside-node-release.ts'
import { besideNode } from '../beside-node.ts'
import type { DagFs, FileHandle } from '../../../src/index.ts'

// each is passed where the types allow few of them
const values: Record<string, unknown> = {
  undefined,
  null: null,
  true: true,
  false: false,
  0: 0,
  7: 7,
  8: 8,
  '-1': -1,
  1.5: 1.5,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '2 ** 32': 2 ** 32,
  bigint: 1n,
  'empty text': '',
  text: 'x',
  'octal text': '600',
  'an encoding': 'hex',
  buffer: 'buffer',
  'an object': {},
  'an object that becomes a number': { [Symbol.toPrimitive]: () => 4 },
  'an array': [],
  'a function': function given () {},
  'a symbol': Symbol('given'),
  'a date': new Date(0)
}

type Call = (fs: DagFs, value: any) => unknown

const calls: Record<string, Call> = {
  'access, mode': async (fs, value) => fs.access('/file', value),
  'appendFile, options': async (fs, value) => fs.appendFile('/file', 'x', value),
  'appendFile, flag': async (fs, flag) => fs.appendFile('/file', 'x', { flag }),
  'appendFile, flush': async (fs, flush) => fs.appendFile('/file', 'x', { flush }),
  'chmod, mode': async (fs, value) => fs.chmod('/file', value),
  'copyFile, mode': async (fs, value) => fs.copyFile('/file', '/copy', value),
  'cp, options': async (fs, value) => fs.cp('/file', '/copy', value),
  'cp, dereference': async (fs, dereference) => fs.cp('/file', '/copy', { dereference }),
  'cp, errorOnExist': async (fs, errorOnExist) => fs.cp('/file', '/copy-error', { errorOnExist }),
  'cp, filter': async (fs, filter) => fs.cp('/file', '/copy', { filter }),
  'cp, force': async (fs, force) => fs.cp('/file', '/copy', { force }),
  // 7 has the host clone the file, which few file systems can
  'cp, mode': async (fs, mode) => mode === 7 ? undefined : fs.cp('/file', '/copy', { mode }),
  'cp, preserveTimestamps': async (fs, preserveTimestamps) => fs.cp('/file', '/copy', { preserveTimestamps }),
  'cp, recursive': async (fs, recursive) => fs.cp('/file', '/copy', { recursive }),
  'cp, verbatimSymlinks': async (fs, verbatimSymlinks) => fs.cp('/file', '/copy', { verbatimSymlinks }),
  'cp, verbatimSymlinks with dereference': async (fs, verbatimSymlinks) => fs.cp('/file', '/copy', { dereference: true, verbatimSymlinks }),
  'lstat, options': async (fs, value) => fs.lstat('/file', value),
  'lstat, bigint': async (fs, bigint) => fs.lstat('/file', { bigint }),
  'lstat, throwIfNoEntry': async (fs, throwIfNoEntry) => fs.lstat('/none', { throwIfNoEntry } as object),
  'lutimes, atime': async (fs, value) => fs.lutimes('/file', value, 1),
  'lutimes, mtime': async (fs, value) => fs.lutimes('/file', 1, value),
  'mkdir, options': async (fs, value) => fs.mkdir('/made', value).finally(async () => removed(fs, '/made')),
  'mkdir, mode': async (fs, mode) => fs.mkdir('/made', { mode }).finally(async () => removed(fs, '/made')),
  'mkdir, recursive': async (fs, recursive) => fs.mkdir('/made', { recursive }).finally(async () => removed(fs, '/made')),
  'mkdtemp, options': async (fs, value) => fs.mkdtemp('/made-', value),
  'mkdtemp, encoding': async (fs, encoding) => fs.mkdtemp('/made-', { encoding }),
  'open, flags': async (fs, value) => closed(await fs.open('/file', value)),
  'open, mode': async (fs, value) => closed(await fs.open('/file', 'r', value)),
  'opendir, encoding': async (fs, encoding) => (await fs.opendir('/', { encoding })).close(),
  'opendir, recursive': async (fs, recursive) => (await fs.opendir('/', { recursive })).close(),
  'readFile, options': async (fs, value) => fs.readFile('/file', value),
  'readFile, encoding': async (fs, encoding) => fs.readFile('/file', { encoding }),
  'readFile, flag': async (fs, flag) => fs.readFile('/file', { flag }),
  'readFile, signal': async (fs, signal) => fs.readFile('/file', { signal }),
  'readdir, options': async (fs, value) => fs.readdir('/empty', value),
  'readdir, encoding': async (fs, encoding) => fs.readdir('/empty', { encoding }),
  'readdir, recursive': async (fs, recursive) => fs.readdir('/empty', { recursive }),
  'readdir, withFileTypes': async (fs, withFileTypes) => fs.readdir('/empty', { withFileTypes }),
  'readlink, options': async (fs, value) => fs.readlink('/link', value),
  'readlink, encoding': async (fs, encoding) => fs.readlink('/link', { encoding }),
  'realpath, options': async (fs, value) => fs.realpath('/file', value),
  'realpath, encoding': async (fs, encoding) => fs.realpath('/file', { encoding }),
  'rm, maxRetries': async (fs, maxRetries) => fs.rm('/none', { maxRetries }),
  'rm, retryDelay': async (fs, retryDelay) => fs.rm('/none', { retryDelay }),
  'rm, options': async (fs, value) => fs.rm('/none', value),
  'rm, force': async (fs, force) => fs.rm('/none', { force }),
  'rm, recursive': async (fs, recursive) => fs.rm('/none', { recursive }),
  'rmdir, maxRetries': async (fs, maxRetries) => fs.rmdir('/none', { maxRetries }),
  'rmdir, retryDelay': async (fs, retryDelay) => fs.rmdir('/none', { retryDelay }),
  'rmdir, options': async (fs, value) => fs.rmdir('/none', value),
  'rmdir, recursive': async (fs, recursive) => fs.rmdir('/none', { recursive }),
  'stat, options': async (fs, value) => fs.stat('/file', value),
  'stat, bigint': async (fs, bigint) => fs.stat('/file', { bigint }),
  'stat, throwIfNoEntry': async (fs, throwIfNoEntry) => fs.stat('/none', { throwIfNoEntry } as object),
  'stat, throwIfNoEntry, below a file': async (fs, throwIfNoEntry) => fs.stat('/file/none', { throwIfNoEntry } as object),
  'stat, throwIfNoEntry, a link to itself': async (fs, throwIfNoEntry) => fs.stat('/loop', { throwIfNoEntry } as object),
  'stat, throwIfNoEntry, a link to nothing': async (fs, throwIfNoEntry) => fs.stat('/link', { throwIfNoEntry } as object),
  'stat, throwIfNoEntry, an overlong name': async (fs, throwIfNoEntry) => fs.stat(`/${'x'.repeat(256)}`, { throwIfNoEntry } as object),
  'symlink, type': async (fs, value) => fs.symlink('target', '/made', value).finally(async () => removed(fs, '/made')),
  'truncate, length': async (fs, value) => typeof value === 'number' && value > 100 ? undefined : fs.truncate('/file', value),
  'utimes, atime': async (fs, value) => fs.utimes('/file', value, 1),
  'utimes, mtime': async (fs, value) => fs.utimes('/file', 1, value),
  'writeFile, data': async (fs, value) => fs.writeFile('/file', value),
  'writeFile, options': async (fs, value) => fs.writeFile('/file', 'ab', value),
  'writeFile, encoding': async (fs, encoding) => fs.writeFile('/file', 'ab', { encoding }),
  'writeFile, flag': async (fs, flag) => fs.writeFile('/file', 'x', { flag }),
  'writeFile, flush': async (fs, flush) => fs.writeFile('/file', 'x', { flush }),
  'writeFile, mode': async (fs, mode) => fs.writeFile('/file', 'x', { mode }),
  'writeFile, signal': async (fs, signal) => fs.writeFile('/file', 'x', { signal })
}

type HandleCall = (handle: FileHandle, value: any) => unknown

const handleCalls: Record<string, HandleCall> = {
  'appendFile, options': async (handle, value) => handle.appendFile('x', value),
  'appendFile, flush': async (handle, flush) => handle.appendFile('x', { flush }),
  'chmod, mode': async (handle, value) => handle.chmod(value),
  'read, buffer': async (handle, value) => handle.read(value),
  'read, options': async (handle, value) => handle.read(new Uint8Array(4), value),
  'read, offset': async (handle, value) => handle.read(new Uint8Array(4), value),
  'read, of an empty buffer': async handle => handle.read(new Uint8Array(0), 0, 1, 0),
  'readFile, options': async (handle, value) => handle.readFile(value),
  'readv, buffers': async (handle, value) => handle.readv(value),
  'stat, options': async (handle, value) => handle.stat(value),
  'stat, bigint': async (handle, bigint) => handle.stat({ bigint }),
  'truncate, length': async (handle, value) => typeof value === 'number' && value > 100 ? undefined : handle.truncate(value),
  'utimes, atime': async (handle, value) => handle.utimes(value, 1),
  'utimes, mtime': async (handle, value) => handle.utimes(1, value),
  'write, data': async (handle, value) => handle.write(value),
  'write, position': async (handle, value) => handle.write('x', value),
  'write, encoding': async (handle, value) => handle.write('ab', 0, value),
  'write, offset': async (handle, value) => handle.write(new Uint8Array(4), value),
  'writeFile, data': async (handle, value) => handle.writeFile(value),
  'writeFile, options': async (handle, value) => handle.writeFile('ab', value),
  'writeFile, encoding': async (handle, encoding) => handle.writeFile('ab', { encoding }),
  'writeFile, flush': async (handle, flush) => handle.writeFile('x', { flush }),
  'writeFile, signal': async (handle, signal) => handle.writeFile('x', { signal }),
  'writev, buffers': async (handle, value) => handle.writev(value)
}

async function removed (fs: DagFs, path: string): Promise<void> {
  await fs.rm(path, { recursive: true, force: true })
}

async function closed (handle: FileHandle): Promise<void> {
  await handle.close()
}

async function prepare (fs: DagFs): Promise<void> {
  await fs.writeFile('/file', 'abc')
  await fs.mkdir('/empty')
  await fs.symlink('target', '/link')
  await fs.symlink('loop', '/loop')
}

// meant to differ
const differences: ReadonlyArray<{ readonly calls: RegExp, readonly step: RegExp }> = [
  // Node refuses what is undefined where it says so itself
  { calls: /^(?:cp|rm|rmdir), /, step: /^undefined$/ },
  // as in `readdir`, it stands for bytes
  { calls: /options|encoding/, step: /^buffer$/ },
  // Linux opens a temporary file
  { calls: /flags?$/, step: /^-1$/ },
  { calls: /^truncate, length$/, step: /^null$/ },
  // there is nothing to read, which Linux refuses
  { calls: /readv, buffers/, step: /^an array$/ }
]

function known (name: string): RegExp[] {
  return differences.filter(({ calls }) => calls.test(name)).map(({ step }) => step)
}

/** Whether a call is refused, and with which error; what it returns does not matter here. */
async function outcome (call: () => unknown): Promise<string> {
  try {
    const answer = await call()

    return answer === undefined || answer === null ? 'nothing' : 'something'
  } catch (err) {
    const { name, code } = err as Error & { code?: string }

    return `${name === 'FileSystemError' ? 'Error' : name} ${code}`
  }
}

describeBesideNode('options of any value, compared to Node.js', function () {
  this.timeout(60_000)

  for (const [name, call] of Object.entries(calls)) {
    besideNode(name, async (fs, note) => {
      for (const [title, value] of Object.entries(values)) {
        await prepare(fs).catch(() => {})
        await note(async () => outcome(async () => call(fs, value)), title)
      }
    }, known(name))
  }

  for (const [name, call] of Object.entries(handleCalls)) {
    besideNode(`a handle's ${name}`, async (fs, note) => {
      await prepare(fs)

      for (const [title, value] of Object.entries(values)) {
        const handle = await fs.open('/file', 'r+')
        await note(async () => outcome(async () => call(handle, value)), title)
        await handle.close()
      }
    }, known(name))
  }
})
