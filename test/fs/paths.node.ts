import { describeBesideNode } from '../beside-node-release.ts'
import { besideNode } from './beside-node.ts'
import type { DagFs } from '../../src/index.ts'

/** What differs, and why. The table of docs/api.md has what users meet. */
const known = [
  // the root of a tree has no attributes of its own, and is never removed
  /^(chmod|utimes|lutimes) .*\/\.\.$/,
  /^(the tree after )?(rm|rmdir)\b.*\/\.\.$/,
  // a link with a slash behind it is not a directory to remove; Node answers that it did, and did not
  /^rm recursive.* \/to-dir\/$/,
  // which part of the path is named, and with how many slashes
  /^mkdir recursive below \/(missing|broken)\/$/,
  /^cp.* \/to-dir\/? \/dir\/sub\/in$/,
  // where both paths are wrong: Node looks at both at once, and names the one that it hears of first
  /^cp.* \/(missing|file\/|file\/x) \/file\/x$/,
  // which system call is named
  /^cp recursive, links followed \S+ \/(loop|file\/x)$/,
  // where both paths are wrong, the first one is named
  /^rename \/(file|to-dir)\/ \/(no\/where|dir\/\.\.)$/,
  // a copy that fails leaves its target as it was
  /^the tree after copyFile \S+ \/(file|link|broken)$/,
  // cp drops a slash behind a new name, and puts a link that leads nowhere in the place of a link
  /^(the tree after )?cp.* \/(file|link|to-dir|broken|loop) \/new\/$/,
  /^(the tree after )?cp.* \/(broken|loop) \/(link|to-dir|broken|loop)$/,
  /^(the tree after )?cp.* \S+ \/dir\/\.\.$/,
  /^(the tree after )?cp recursive, links followed \S+ \/broken$/
]

async function entries (fs: DagFs): Promise<void> {
  await fs.writeFile('/file', 'content')
  await fs.mkdir('/dir')
  await fs.writeFile('/dir/inner', 'inner')
  await fs.mkdir('/dir/sub')
  await fs.writeFile('/dir/sub/deep', 'deep')
  await fs.mkdir('/empty')
  await fs.symlink('file', '/link')
  await fs.symlink('dir', '/to-dir')
  await fs.symlink('nowhere', '/broken')
  await fs.symlink('loop', '/loop')
  await fs.symlink('loop-b', '/loop-a')
  await fs.symlink('loop-a', '/loop-b')
}

const places = ['/file', '/dir', '/empty', '/missing', '/link', '/to-dir', '/broken', '/loop', '/loop-a', '/file/', '/dir/', '/missing/', '/link/', '/to-dir/', '/broken/', '/file/x', '/link/x', '/no/where', '/loop/x', '/dir/inner', '/dir/.', '/dir/..', '/to-dir/..', '/dir/../file', '/file/..', '/file/.', '', '/missing/..', '/to-dir/inner', '/broken/x', '//dir//inner', '/dir/sub/../inner', '/missing/.']

/** The whole tree, as it is after a step. */
async function everything (fs: DagFs): Promise<unknown[]> {
  const found: unknown[] = []

  for (const { parentPath, name } of await fs.readdir('/', { recursive: true, withFileTypes: true })) {
    const path = `${parentPath}/${name}`.replace('//', '/')
    const stats = await fs.lstat(path)
    const content = stats.isFile() ? await fs.readFile(path, 'latin1') : undefined
    found.push([path, stats.mode, content ?? (stats.isSymbolicLink() ? await fs.readlink(path) : '')])
  }

  return found.toSorted()
}

async function clear (fs: DagFs): Promise<void> {
  for (const name of await fs.readdir('/')) {
    await fs.rm(`/${name}`, { recursive: true })
  }
}

const single: Record<string, (fs: DagFs, path: string) => Promise<unknown>> = {
  stat: async (fs, path) => fs.stat(path),
  lstat: async (fs, path) => fs.lstat(path),
  access: async (fs, path) => fs.access(path),
  readFile: async (fs, path) => fs.readFile(path, 'utf8'),
  readdir: async (fs, path) => (await fs.readdir(path)).toSorted(),
  readlink: async (fs, path) => fs.readlink(path),
  realpath: async (fs, path) => fs.realpath(path),
  opendir: async (fs, path) => {
    const names: string[] = []

    for await (const { name } of await fs.opendir(path)) {
      names.push(name)
    }

    return names.toSorted()
  }
}

const editing: Record<string, (fs: DagFs, path: string) => Promise<unknown>> = {
  writeFile: async (fs, path) => fs.writeFile(path, 'new'),
  'writeFile wx': async (fs, path) => fs.writeFile(path, 'new', { flag: 'wx' }),
  'writeFile r+': async (fs, path) => fs.writeFile(path, 'new', { flag: 'r+' }),
  'writeFile a': async (fs, path) => fs.writeFile(path, 'new', { flag: 'a' }),
  appendFile: async (fs, path) => fs.appendFile(path, 'new'),
  truncate: async (fs, path) => fs.truncate(path, 3),
  'truncate longer': async (fs, path) => fs.truncate(path, 12),
  mkdir: async (fs, path) => fs.mkdir(path),
  'mkdir recursive': async (fs, path) => fs.mkdir(path, { recursive: true }),
  'mkdir recursive below': async (fs, path) => fs.mkdir(`${path}/a/b`, { recursive: true }),
  rmdir: async (fs, path) => fs.rmdir(path),
  unlink: async (fs, path) => fs.unlink(path),
  rm: async (fs, path) => fs.rm(path),
  'rm force': async (fs, path) => fs.rm(path, { force: true }),
  'rm recursive': async (fs, path) => fs.rm(path, { recursive: true }),
  'rm recursive force': async (fs, path) => fs.rm(path, { recursive: true, force: true }),
  chmod: async (fs, path) => {
    await fs.chmod(path, 0o640)
    return (await fs.stat(path)).mode
  },
  utimes: async (fs, path) => {
    await fs.utimes(path, 1, 1_600_000_000)
    return (await fs.stat(path)).mtime.getTime()
  },
  lutimes: async (fs, path) => {
    await fs.lutimes(path, 1, 1_600_000_000)
    return (await fs.lstat(path)).mtime.getTime()
  },
  'symlink to it': async (fs, path) => fs.symlink(path, '/new-link'),
  'symlink at it': async (fs, path) => fs.symlink('target', path)
}

const double: Record<string, (fs: DagFs, from: string, to: string) => Promise<unknown>> = {
  rename: async (fs, from, to) => fs.rename(from, to),
  copyFile: async (fs, from, to) => fs.copyFile(from, to),
  'copyFile excl': async (fs, from, to) => fs.copyFile(from, to, fs.constants.COPYFILE_EXCL),
  cp: async (fs, from, to) => fs.cp(from, to, { verbatimSymlinks: true }),
  'cp recursive': async (fs, from, to) => fs.cp(from, to, { recursive: true, verbatimSymlinks: true }),
  'cp recursive, not by force': async (fs, from, to) => fs.cp(from, to, { recursive: true, force: false, verbatimSymlinks: true }),
  'cp recursive, error where it exists': async (fs, from, to) => fs.cp(from, to, { recursive: true, force: false, errorOnExist: true, verbatimSymlinks: true }),
  'cp recursive, links followed': async (fs, from, to) => fs.cp(from, to, { recursive: true, dereference: true })
}

const sources = ['/file', '/dir', '/empty', '/missing', '/link', '/to-dir', '/broken', '/loop', '/dir/', '/file/', '/dir/sub', '/to-dir/', '/file/x', '/dir/.']
const targets = ['/file', '/dir', '/empty', '/new', '/link', '/to-dir', '/broken', '/loop', '/dir/', '/new/', '/no/where', '/dir/sub/in', '/dir/new', '/file/x', '/empty/', '/to-dir/new', '/dir/..']

describeBesideNode('paths, compared to Node.js', function () {
  this.timeout(120_000)

  for (const [name, step] of Object.entries(single)) {
    besideNode(name, async (fs, note) => {
      await entries(fs)

      for (const path of places) {
        await note(async () => step(fs, path), `${name} ${path}`)
      }
    }, known)
  }

  for (const [name, step] of Object.entries(editing)) {
    besideNode(name, async (fs, note) => {
      for (const path of places) {
        await entries(fs)
        await note(async () => step(fs, path), `${name} ${path}`)
        await note(async () => everything(fs), `the tree after ${name} ${path}`)
        await clear(fs)
      }
    }, known)
  }

  for (const [name, step] of Object.entries(double)) {
    for (const from of sources) {
      besideNode(`${name} ${from}`, async (fs, note) => {
        for (const to of targets) {
          await entries(fs)
          await note(async () => step(fs, from, to), `${name} ${from} ${to}`)
          await note(async () => everything(fs), `the tree after ${name} ${from} ${to}`)
          await clear(fs)
        }
      }, known)
    }
  }
})
