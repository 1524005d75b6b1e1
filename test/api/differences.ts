import type { DagFs } from '../../src/index.ts'

/** Something that can be observed to be otherwise in Node.js. */
export interface Difference {
  readonly call: string
  /** What is otherwise here, as docs/api.md says it */
  readonly how: string
  /** Shows it, on an empty filesystem of either kind: `at` makes the path of a name */
  show(fs: DagFs, at: (name: string) => string): Promise<unknown>
  /** What Node.js shows: an answer, or the code of an error */
  readonly node: unknown
  readonly here: unknown
}

/** Something that a tree cannot carry. */
export interface Refusal {
  readonly subject: 'fs' | 'handle'
  readonly call: string
  readonly code: string
  /** Tries it on a filesystem that has the file `/file` */
  attempt(fs: DagFs): Promise<unknown>
}

export const differences: readonly Difference[] = [
  {
    call: 'chmod',
    how: 'the root has no mode of its own',
    show: async (fs, at) => fs.chmod(at(''), 0o700),
    node: undefined,
    here: 'ENOTSUP'
  },
  {
    call: 'copyFile',
    how: 'where it fails, the destination stays',
    show: async (fs, at) => {
      await fs.mkdir(at('directory'))
      await fs.writeFile(at('file'), 'kept')
      await fs.copyFile(at('directory'), at('file')).catch(() => {})
      return fs.readFile(at('file'), 'utf8')
    },
    node: 'ENOENT',
    here: 'kept'
  },
  {
    call: 'cp',
    how: 'links are copied as they are, unless `verbatimSymlinks` is false',
    show: async (fs, at) => {
      await fs.symlink('target', at('link'))
      await fs.cp(at('link'), at('copy'))
      return (await fs.readlink(at('copy'))).startsWith('/')
    },
    node: true,
    here: false
  },
  {
    call: 'cp',
    how: 'a link that leads nowhere may take the place of another',
    show: async (fs, at) => {
      await fs.symlink('one', at('link'))
      await fs.symlink('two', at('other'))
      await fs.cp(at('link'), at('other'))
      return 'done'
    },
    node: 'ENOENT',
    here: 'done'
  },
  {
    call: 'cp',
    how: 'a file may replace a link that the path to it leads through',
    show: async (fs, at) => {
      await fs.mkdir(at('directory'))
      await fs.writeFile(at('directory/file'), 'kept')
      await fs.symlink('directory', at('link'))
      await fs.cp(at('link/file'), at('link'))
      return fs.readFile(at('link'), 'utf8')
    },
    node: 'ENOENT',
    here: 'kept'
  },
  {
    call: 'cp',
    how: '`mode` is ignored',
    show: async (fs, at) => {
      await fs.writeFile(at('file'), '')
      const options = { force: true, mode: fs.constants.COPYFILE_FICLONE_FORCE }
      await fs.cp(at('file'), at('copy'), options)
      return 'done'
    },
    node: 'ENOTSUP',
    here: 'done'
  },
  {
    call: 'glob',
    how: 'alternatives that lead into one directory hide nothing from each other',
    show: async (fs, at) => {
      await fs.mkdir(at('a'))
      const found: string[] = []

      for await (const path of fs.glob('{a,**}/*/', { cwd: at('') })) {
        found.push(path)
      }

      return found
    },
    node: [],
    here: ['a']
  },
  {
    call: 'mkdir',
    how: 'a path has at most 1,024 names, as in every call',
    show: async (fs, at) => fs.mkdir(at('a/'.repeat(1_500))),
    node: 'ENOENT',
    here: 'ENAMETOOLONG'
  },
  {
    call: 'readdir',
    how: 'recursively it never follows a link',
    show: async (fs, at) => {
      await fs.mkdir(at('directory'))
      await fs.writeFile(at('directory/file'), '')
      await fs.symlink('directory', at('link'))
      return (await fs.readdir(at(''), { recursive: true })).sort()
    },
    node: ['directory', 'directory/file', 'link', 'link/file'],
    here: ['directory', 'directory/file', 'link']
  },
  {
    call: 'stat',
    how: 'a time is there where it was recorded: with a `clock`, by `utimes` or by an import',
    show: async (fs, at) => {
      await fs.writeFile(at('file'), '')
      return (await fs.stat(at('file'))).mtimeMs > 0
    },
    node: true,
    here: false
  },
  {
    call: 'stat',
    how: 'there is no inode and no device',
    show: async (fs, at) => {
      await fs.writeFile(at('file'), '')
      return (await fs.stat(at('file'))).ino > 0
    },
    node: true,
    here: false
  },
  {
    call: 'utimes',
    how: 'only the time of modification is kept',
    show: async (fs, at) => {
      await fs.writeFile(at('file'), '')
      await fs.utimes(at('file'), 1, 2)
      return (await fs.stat(at('file'))).atimeMs
    },
    node: 1_000,
    here: 2_000
  },
  {
    call: 'writeFile',
    how: 'takes a Blob or File as well',
    show: async (fs, at) => {
      await fs.writeFile(at('file'), new Blob(['content']))
      return fs.readFile(at('file'), 'utf8')
    },
    node: 'ERR_INVALID_ARG_TYPE',
    here: 'content'
  }
]

export const handleDifferences: readonly Difference[] = [
  {
    call: 'chmod',
    how: 'that of a directory changes nothing',
    show: async (fs, at) => {
      await fs.mkdir(at('directory'))
      await using handle = await fs.open(at('directory'))
      await handle.chmod(0o700)
    },
    node: undefined,
    here: 'ENOTSUP'
  },
  {
    call: 'utimes',
    how: 'only the time of modification is kept',
    show: async (fs, at) => {
      await using handle = await fs.open(at('file'), 'w')
      await handle.utimes(1, 2)
      return (await handle.stat()).atimeMs
    },
    node: 1_000,
    here: 2_000
  },
  {
    call: 'stat',
    how: 'of a directory, what it was when it was opened or last committed',
    show: async (fs, at) => {
      await fs.mkdir(at('directory'))
      await ('commit' in fs ? fs.commit() : undefined)
      await using handle = await fs.open(at('directory'))
      await fs.chmod(at('directory'), 0o700)
      return (await handle.stat()).mode & 0o777
    },
    node: 0o700,
    here: 0o755
  }
]

export const refusals: readonly Refusal[] = [
  { subject: 'fs', call: 'chown', code: 'ENOTSUP', attempt: async fs => fs.chown('/file', 1, 1) },
  { subject: 'fs', call: 'lchown', code: 'ENOTSUP', attempt: async fs => fs.lchown('/file', 1, 1) },
  { subject: 'fs', call: 'lchmod', code: 'ENOTSUP', attempt: async fs => fs.lchmod('/file', 0o600) },
  { subject: 'fs', call: 'link', code: 'ENOTSUP', attempt: async fs => fs.link('/file', '/other') },
  { subject: 'handle', call: 'chown', code: 'ENOTSUP', attempt: async fs => (await fs.open('/file')).chown(1, 1) },
  { subject: 'fs', call: 'statfs', code: 'ENOTSUP', attempt: async fs => fs.statfs('/') }
]
