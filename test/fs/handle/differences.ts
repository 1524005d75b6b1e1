import type { DagFs } from '../../../src/index.ts'

/** Something about open files and arguments that can be observed to be otherwise in Node.js. */
export interface HandleDifference {
  readonly call: string
  /** What is otherwise here, as docs/file-handles.md says it */
  readonly how: string
  /** Shows it, on an empty filesystem of either kind: `at` makes the path of a name */
  show(fs: DagFs, at: (name: string) => string): Promise<unknown>
  /** What Node.js shows: an answer, or the code of an error */
  readonly node: unknown
  readonly here: unknown
}

/** The name of a value's class. */
function nameOf (value: object): string {
  return value.constructor.name
}

export const handleDifferences: readonly HandleDifference[] = [
  {
    call: 'readFile',
    how: 'bytes are a Uint8Array, never a Buffer',
    show: async (fs, at) => {
      await fs.writeFile(at('file'), 'x')
      return nameOf(await fs.readFile(at('file')))
    },
    node: 'Buffer',
    here: 'Uint8Array'
  },
  {
    call: 'open',
    how: 'a path in bytes must be UTF-8, as in every call',
    show: async (fs, at) => {
      const handle = await fs.open(Uint8Array.of(...new TextEncoder().encode(at('')), 0xff), 'w')
      await handle.close()
    },
    node: undefined,
    here: 'EINVAL'
  },
  {
    call: 'open',
    how: 'one in a string well-formed Unicode, as in every call',
    show: async (fs, at) => {
      const handle = await fs.open(at('\ud800'), 'w')
      await handle.close()
    },
    node: undefined,
    here: 'EINVAL'
  },
  {
    call: 'FileHandle.write',
    how: 'a bigint is a position',
    show: async (fs, at) => {
      await fs.writeFile(at('file'), '0123')
      const handle = await fs.open(at('file'), 'r+')
      await handle.write(new Uint8Array([0x78]), 0, 1, 2n)
      await handle.close()
      return fs.readFile(at('file'), 'utf8')
    },
    node: 'x123',
    here: '01x3'
  },
  {
    call: 'FileHandle.chown',
    how: 'a tree has no owners',
    show: async (fs, at) => withHandle(fs, at, async handle => handle.chown(-1, -1)),
    node: undefined,
    here: 'ENOTSUP'
  },
  {
    call: 'FileHandle.on',
    how: 'a handle emits no events',
    show: async (fs, at) => withHandle(fs, at, async handle => 'on' in handle),
    node: true,
    here: false
  },
  {
    call: 'FileHandle.createReadStream',
    how: 'a web stream of bytes, without `encoding`',
    show: async (fs, at) => withHandle(fs, at, async handle => nameOf(handle.createReadStream({ autoClose: false }))),
    node: 'ReadStream',
    here: 'ReadableStream'
  },
  {
    call: 'FileHandle.createWriteStream',
    how: 'a web stream of bytes and text',
    show: async (fs, at) => withHandle(fs, at, async handle => nameOf(handle.createWriteStream({ autoClose: false }))),
    node: 'WriteStream',
    here: 'WritableStream'
  },
  {
    call: 'FileHandle.readLines',
    how: 'an async generator, no readline interface',
    show: async (fs, at) => withHandle(fs, at, async handle => 'on' in handle.readLines({ autoClose: false })),
    node: true,
    here: false
  },
  {
    call: 'FileHandle.stat',
    how: '`nlink` is 1, also where the file was removed',
    show: async (fs, at) => withHandle(fs, at, async handle => {
      await fs.unlink(at('file'))
      return (await handle.stat()).nlink
    }),
    node: 0,
    here: 1
  },
  {
    call: 'FileHandle.read',
    how: 'of a closed handle, the message begins with the code as all others do',
    show: async (fs, at) => {
      const handle = await fs.open(at('file'), 'w+')
      await handle.close()
      return handle.read().catch((err: Error) => err.message)
    },
    node: 'file closed',
    here: 'EBADF: file closed, read'
  }
]

async function withHandle (fs: DagFs, at: (name: string) => string, use: (handle: Awaited<ReturnType<DagFs['open']>>) => Promise<unknown>): Promise<unknown> {
  const handle = await fs.open(at('file'), 'w+')

  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}
