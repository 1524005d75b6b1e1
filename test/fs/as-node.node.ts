import { mkdtemp, rm } from 'node:fs/promises'
import * as host from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import { describeBesideNode } from '../beside-node-release.ts'
import type { DagFs } from '../../src/index.ts'

/** What both have, and what is called on both. */
type Fs = typeof host

/** What a call came to, in words that do not depend on where the tree is. */
type Outcome = { readonly answer: unknown } | { readonly error: Record<string, unknown> }

/** A call, below the directory that stands for the root. */
type Call = (fs: Fs, at: (path: string) => string) => Promise<unknown>

async function prepare (fs: Fs, at: (path: string) => string): Promise<void> {
  await fs.mkdir(at('/dir/sub'), { recursive: true })
  await fs.mkdir(at('/empty'))
  await fs.writeFile(at('/file'), 'content')
  await fs.writeFile(at('/other'), 'other')
  await fs.writeFile(at('/dir/deep'), 'deep')
  await fs.symlink('dir', at('/to-dir'))
  await fs.symlink('file', at('/to-file'))
  await fs.symlink('nowhere', at('/broken'))
  await fs.symlink('loop', at('/loop'))
}

/** Everything below, as text. */
async function dump (fs: Fs, at: (path: string) => string, directory = ''): Promise<string[]> {
  const lines: string[] = []

  for (const name of (await fs.readdir(at(`${directory}/`))).sort()) {
    const path = `${directory}/${name}`
    const stats = await fs.lstat(at(path))

    if (stats.isSymbolicLink()) {
      lines.push(`${path} -> ${await fs.readlink(at(path))}`)
    } else if (stats.isDirectory()) {
      lines.push(`${path}/`, ...await dump(fs, at, path))
    } else {
      lines.push(`${path} ${(stats.mode & 0o777).toString(8)} ${await fs.readFile(at(path), 'latin1')}`)
    }
  }

  return lines
}

const calls: Record<string, Call[]> = {
  mkdir: [
    async (fs, at) => fs.mkdir(at('/new')),
    async (fs, at) => fs.mkdir(at('/new/')),
    async (fs, at) => fs.mkdir(at('/new'), 0o700),
    async (fs, at) => fs.mkdir(at('/new'), { mode: '711' }),
    async (fs, at) => fs.mkdir(at('/dir')),
    async (fs, at) => fs.mkdir(at('/dir/.')),
    async (fs, at) => fs.mkdir(at('/file')),
    async (fs, at) => fs.mkdir(at('/file/')),
    async (fs, at) => fs.mkdir(at('/file/new')),
    async (fs, at) => fs.mkdir(at('/broken')),
    async (fs, at) => fs.mkdir(at('/broken/')),
    async (fs, at) => fs.mkdir(at('/missing/new')),
    async (fs, at) => fs.mkdir(at('/to-dir/new')),
    async (fs, at) => fs.mkdir(at('/loop/new')),
    async (fs, at) => fs.mkdir(at('/a/b/c'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/dir/a/b/'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/to-dir/a'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/dir/sub'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/to-dir'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/file'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/file/a/b'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/broken'), { recursive: true }),
    async (fs, at) => fs.mkdir(at('/new'), 'abc'),
    async (fs, at) => fs.mkdir(at('/new'), { recursive: 1 } as object),
    async fs => fs.mkdir('')
  ],
  rm: [
    async (fs, at) => fs.rm(at('/file')),
    async (fs, at) => fs.rm(at('/file/')),
    async (fs, at) => fs.rm(at('/to-dir')),
    async (fs, at) => fs.rm(at('/missing')),
    async (fs, at) => fs.rm(at('/missing'), { force: true }),
    async (fs, at) => fs.rm(at('/file/x')),
    async (fs, at) => fs.rm(at('/file/x'), { force: true }),
    async (fs, at) => fs.rm(at('/dir')),
    async (fs, at) => fs.rm(at('/dir'), { force: true }),
    async (fs, at) => fs.rm(at('/dir'), { recursive: true }),
    async (fs, at) => fs.rm(at('/dir/'), { recursive: true }),
    async (fs, at) => fs.rm(at('/dir'), { recursive: 1 } as object)
  ],
  rmdir: [
    async (fs, at) => fs.rmdir(at('/empty')),
    async (fs, at) => fs.rmdir(at('/empty/')),
    async (fs, at) => fs.rmdir(at('/dir')),
    async (fs, at) => fs.rmdir(at('/file')),
    async (fs, at) => fs.rmdir(at('/to-dir')),
    async (fs, at) => fs.rmdir(at('/to-dir/')),
    async (fs, at) => fs.rmdir(at('/missing')),
    async (fs, at) => fs.rmdir(at('/empty/.')),
    async (fs, at) => fs.rmdir(at('/dir/sub/..'))
  ],
  unlink: [
    async (fs, at) => fs.unlink(at('/file')),
    async (fs, at) => fs.unlink(at('/to-dir')),
    async (fs, at) => fs.unlink(at('/broken')),
    async (fs, at) => fs.unlink(at('/dir')),
    async (fs, at) => fs.unlink(at('/dir/')),
    async (fs, at) => fs.unlink(at('/file/')),
    async (fs, at) => fs.unlink(at('/to-dir/')),
    async (fs, at) => fs.unlink(at('/missing'))
  ],
  rename: [
    async (fs, at) => fs.rename(at('/file'), at('/new')),
    async (fs, at) => fs.rename(at('/file'), at('/dir/deep')),
    async (fs, at) => fs.rename(at('/file'), at('/file')),
    async (fs, at) => fs.rename(at('/dir'), at('/dir')),
    async (fs, at) => fs.rename(at('/dir'), at('/moved')),
    async (fs, at) => fs.rename(at('/dir/'), at('/moved/')),
    async (fs, at) => fs.rename(at('/dir'), at('/empty')),
    async (fs, at) => fs.rename(at('/dir'), at('/empty/dir')),
    async (fs, at) => fs.rename(at('/empty'), at('/dir')),
    async (fs, at) => fs.rename(at('/dir/sub'), at('/sub')),
    async (fs, at) => fs.rename(at('/dir'), at('/dir/sub/new')),
    async (fs, at) => fs.rename(at('/dir'), at('/to-dir/sub/new')),
    async (fs, at) => fs.rename(at('/dir/sub'), at('/dir')),
    async (fs, at) => fs.rename(at('/dir/deep'), at('/dir')),
    async (fs, at) => fs.rename(at('/dir'), at('/file')),
    async (fs, at) => fs.rename(at('/file'), at('/dir')),
    async (fs, at) => fs.rename(at('/file'), at('/new/')),
    async (fs, at) => fs.rename(at('/file/'), at('/new')),
    async (fs, at) => fs.rename(at('/to-dir/'), at('/new')),
    async (fs, at) => fs.rename(at('/to-dir'), at('/new')),
    async (fs, at) => fs.rename(at('/to-dir'), at('/file')),
    async (fs, at) => fs.rename(at('/file'), at('/to-dir')),
    async (fs, at) => fs.rename(at('/dir/.'), at('/new')),
    async (fs, at) => fs.rename(at('/dir'), at('/empty/..')),
    async (fs, at) => fs.rename(at('/missing'), at('/new')),
    async (fs, at) => fs.rename(at('/file'), at('/missing/new')),
    async (fs, at) => fs.rename(at('/file'), at('/other/new')),
    async (fs, at) => fs.rename(at('/file/x'), at('/new'))
  ],
  symlink: [
    async (fs, at) => fs.symlink('target', at('/new')),
    async (fs, at) => fs.symlink('target', at('/file')),
    async (fs, at) => fs.symlink('target', at('/broken')),
    async (fs, at) => fs.symlink('target', at('/dir/')),
    async (fs, at) => fs.symlink('target', at('/new/')),
    async (fs, at) => fs.symlink('', at('/new')),
    async (fs, at) => fs.symlink('a'.repeat(5_000), at('/new')),
    async (fs, at) => fs.symlink('target', at('/missing/new'))
  ],
  copyFile: [
    async (fs, at) => fs.copyFile(at('/file'), at('/new')),
    async (fs, at) => fs.copyFile(at('/file'), at('/other')),
    async (fs, at) => fs.copyFile(at('/file'), at('/file')),
    async (fs, at) => fs.copyFile(at('/to-file'), at('/new')),
    async (fs, at) => fs.copyFile(at('/file'), at('/broken')),
    async (fs, at) => fs.copyFile(at('/file'), at('/other'), fs.constants.COPYFILE_EXCL),
    async (fs, at) => fs.copyFile(at('/file'), at('/broken'), fs.constants.COPYFILE_EXCL),
    async (fs, at) => fs.copyFile(at('/dir'), at('/new')),
    async (fs, at) => fs.copyFile(at('/file'), at('/dir')),
    async (fs, at) => fs.copyFile(at('/file'), at('/new/')),
    async (fs, at) => fs.copyFile(at('/missing'), at('/new')),
    async (fs, at) => {
      await fs.chmod(at('/file'), 0o700)
      await fs.copyFile(at('/file'), at('/new'))
    }
  ],
  cp: [
    async (fs, at) => fs.cp(at('/file'), at('/new')),
    async (fs, at) => fs.cp(at('/file'), at('/a/b/new')),
    async (fs, at) => fs.cp(at('/file'), at('/other')),
    async (fs, at) => fs.cp(at('/file'), at('/other'), { force: false }),
    async (fs, at) => fs.cp(at('/file'), at('/other'), { force: false, errorOnExist: true }),
    async (fs, at) => fs.cp(at('/dir'), at('/new')),
    async (fs, at) => fs.cp(at('/dir'), at('/new'), { recursive: true }),
    async (fs, at) => fs.cp(at('/dir'), at('/empty'), { recursive: true }),
    async (fs, at) => fs.cp(at('/dir'), at('/dir'), { recursive: true }),
    async (fs, at) => fs.cp(at('/dir'), at('/dir/sub/new'), { recursive: true }),
    async (fs, at) => fs.cp(at('/dir'), at('/file'), { recursive: true }),
    async (fs, at) => fs.cp(at('/file'), at('/dir')),
    async (fs, at) => fs.cp(at('/missing'), at('/new')),
    async (fs, at) => fs.cp(at('/to-dir'), at('/new'), { verbatimSymlinks: true }),
    async (fs, at) => fs.cp(at('/to-file'), at('/new'), { verbatimSymlinks: false }),
    async (fs, at) => fs.cp(at('/to-dir'), at('/new'), { recursive: true, dereference: true }),
    async (fs, at) => fs.cp(at('/to-file'), at('/new'), { dereference: true }),
    async (fs, at) => fs.cp(at('/dir'), at('/new'), { recursive: true, filter: source => !source.endsWith('deep') }),
    async (fs, at) => fs.cp(at('/dir'), at('/new'), { recursive: true, filter: () => false }),
    async (fs, at) => fs.cp(at('/dir'), at('/new'), { recursive: 1 } as object),
    async (fs, at) => {
      await fs.mkdir(at('/target/sub'), { recursive: true })
      await fs.writeFile(at('/target/deep'), 'old')
      await fs.writeFile(at('/target/kept'), 'kept')
      await fs.cp(at('/dir'), at('/target'), { recursive: true })
    }
  ],
  writeFile: [
    async (fs, at) => fs.writeFile(at('/new'), 'text'),
    async (fs, at) => fs.writeFile(at('/new'), 'ff00', 'hex'),
    async (fs, at) => fs.writeFile(at('/new'), Uint16Array.of(1, 2)),
    async (fs, at) => fs.writeFile(at('/new'), ['a', 'b']),
    async (fs, at) => fs.writeFile(at('/new'), (async function * () { yield Uint8Array.of(1) })()),
    async (fs, at) => fs.writeFile(at('/new'), 'text', { mode: 0o777 }),
    async (fs, at) => fs.writeFile(at('/file'), 'text', { mode: 0o700 }),
    async (fs, at) => fs.writeFile(at('/file'), 'text', { flag: 'wx' }),
    async (fs, at) => fs.writeFile(at('/broken'), 'text', { flag: 'wx' }),
    async (fs, at) => fs.writeFile(at('/file'), 'XY', { flag: 'r+' }),
    async (fs, at) => fs.writeFile(at('/missing'), 'XY', { flag: 'r+' }),
    async (fs, at) => fs.writeFile(at('/file'), 'XY', { flag: 'a' }),
    async (fs, at) => fs.writeFile(at('/file'), 'XY', { flag: 'r' }),
    async (fs, at) => fs.writeFile(at('/to-file'), 'text'),
    async (fs, at) => fs.writeFile(at('/broken'), 'text'),
    async (fs, at) => fs.writeFile(at('/loop'), 'text'),
    async (fs, at) => fs.writeFile(at('/dir'), 'text'),
    async (fs, at) => fs.writeFile(at('/to-dir'), 'text'),
    async (fs, at) => fs.writeFile(at('/new/'), 'text'),
    async (fs, at) => fs.writeFile(at('/file/'), 'text'),
    async (fs, at) => fs.writeFile(at('/file/x'), 'text'),
    async (fs, at) => fs.writeFile(at('/missing/x'), 'text'),
    async (fs, at) => fs.writeFile(at(`/${'a'.repeat(256)}`), 'text'),
    async (fs, at) => fs.writeFile(at('/file'), 5 as unknown as string),
    async (fs, at) => fs.writeFile(at('/file'), {} as unknown as string),
    async (fs, at) => fs.writeFile(at('/file'), 'x', { flag: 'q' }),
    async (fs, at) => fs.writeFile(at('/file'), 'x', { encoding: 'klingon' as 'utf8' }),
    async (fs, at) => fs.appendFile(at('/file'), ' and more'),
    async (fs, at) => fs.appendFile(at('/new'), 'new', { mode: 0o600 }),
    async (fs, at) => fs.appendFile(at('/dir'), 'new'),
    async fs => fs.writeFile('', 'x')
  ],
  truncate: [
    async (fs, at) => fs.truncate(at('/file')),
    async (fs, at) => fs.truncate(at('/file'), 3),
    async (fs, at) => fs.truncate(at('/to-file'), 20),
    async (fs, at) => fs.truncate(at('/file'), -5),
    async (fs, at) => fs.truncate(at('/file'), 1.5),
    async (fs, at) => fs.truncate(at('/dir')),
    async (fs, at) => fs.truncate(at('/missing'))
  ],
  attributes: [
    async (fs, at) => fs.chmod(at('/file'), 0o600),
    async (fs, at) => fs.chmod(at('/to-file'), '640'),
    async (fs, at) => fs.chmod(at('/missing'), 0o600),
    async (fs, at) => fs.chmod(at('/broken'), 0o600),
    async (fs, at) => {
      await fs.utimes(at('/file'), 1, 1_700_000_000.5)
      return (await fs.stat(at('/file'))).mtimeMs
    },
    async (fs, at) => {
      await fs.utimes(at('/to-dir'), new Date(0), new Date(1_600_000_000_000))
      return [(await fs.stat(at('/dir'))).mtime]
    },
    async (fs, at) => {
      await fs.lutimes(at('/broken'), 1, 5)
      return (await fs.lstat(at('/broken'))).mtimeMs
    },
    async (fs, at) => fs.utimes(at('/missing'), 1, 1),
    async (fs, at) => fs.lutimes(at('/missing'), 1, 1)
  ],
  reading: [
    async (fs, at) => fs.readFile(at('/file'), 'base64'),
    async (fs, at) => [...await fs.readFile(at('/to-file'))],
    async (fs, at) => fs.readFile(at('/missing')),
    async (fs, at) => fs.readFile(at('/loop')),
    async (fs, at) => fs.readFile(at('/file'), { flag: 'ax' }),
    async (fs, at) => (await fs.readdir(at('/'))).sort(),
    async (fs, at) => (await fs.readdir(at('/to-dir'), { withFileTypes: true })).map(({ name, parentPath }) => [name, parentPath.replace(at(''), '')]).sort(),
    async (fs, at) => (await fs.readdir(at('/dir'), 'hex')).sort(),
    async (fs, at) => fs.readdir(at('/file')),
    async (fs, at) => fs.readdir(at('/missing')),
    async (fs, at) => fs.opendir(at('/file')),
    async (fs, at) => fs.opendir(at('/missing')),
    async (fs, at) => {
      const directory = await fs.opendir(at('/dir'))
      const names: string[] = []

      for await (const { name } of directory) {
        names.push(name)
      }

      return names.sort()
    },
    async (fs, at) => {
      const directory = await fs.opendir(at('/dir'))
      await directory.close()
      await directory.read()
    },
    async (fs, at) => fs.readlink(at('/to-dir')),
    async (fs, at) => fs.readlink(at('/to-dir'), 'hex'),
    async (fs, at) => fs.readlink(at('/file')),
    async (fs, at) => fs.readlink(at('/to-dir/')),
    async (fs, at) => fs.readlink(at('/missing')),
    async (fs, at) => (await fs.realpath(at('/to-dir/../to-file'))).replace(at(''), ''),
    async (fs, at) => fs.realpath(at('/missing')),
    async (fs, at) => fs.realpath(at('/loop')),
    async (fs, at) => fs.access(at('/file')),
    async (fs, at) => fs.access(at('/file'), fs.constants.R_OK | fs.constants.W_OK),
    async (fs, at) => fs.access(at('/file'), fs.constants.X_OK),
    async (fs, at) => fs.access(at('/dir'), fs.constants.X_OK),
    async (fs, at) => fs.access(at('/missing')),
    async (fs, at) => (await fs.stat(at('/to-file'))).isFile(),
    async (fs, at) => (await fs.lstat(at('/to-dir/'))).isDirectory(),
    async (fs, at) => fs.stat(at('/file/x')),
    async (fs, at) => fs.lstat(at('/missing'))
  ]
}

async function outcome (call: Call, fs: Fs, root: string): Promise<Outcome> {
  const at = (path: string): string => root + path
  const withoutRoot = (text: unknown): unknown => typeof text === 'string' && root !== '' ? text.replaceAll(root, '') : text

  try {
    return { answer: withoutRoot(await call(fs, at)) }
  } catch (err) {
    const { name, code, message, syscall, path, dest } = err as Record<string, unknown>

    return { error: { name: name === 'FileSystemError' ? 'Error' : name, code, message: withoutRoot(message), syscall, path: withoutRoot(path), dest: withoutRoot(dest) } }
  }
}

describeBesideNode('fs beside node:fs', () => {
  const root = join(tmpdir(), 'dagfs-as-node-')
  let directory: string
  let fs: DagFs

  beforeEach(async () => {
    directory = await mkdtemp(root)
    fs = dagfs({ blockstore: new MemoryBlockstore() })
    await prepare(host, path => directory + path)
    await prepare(fs as unknown as Fs, path => path)
  })

  afterEach(async () => {
    await rm(directory, { recursive: true })
  })

  /** What a call comes to on both, and what the trees are then. */
  async function compare (call: Call, isStored: boolean): Promise<void> {
    if (isStored) {
      await fs.commit()
    }

    const own = fs as unknown as Fs
    const expected = await outcome(call, host, directory)
    const lines = await dump(host, path => directory + path)

    expect(await outcome(call, own, '')).to.deep.equal(expected)
    expect(await dump(own, path => path)).to.deep.equal(lines.map(line => line.replaceAll(directory, '')))
  }

  function compareTwice (call: Call): void {
    const text = String(call).replace(/^async \([^)]*\) => |^async fs => /, '').replace(/\s+/g, ' ')

    it(`in a draft: ${text}`, async () => compare(call, false))
    it(`over a stored tree: ${text}`, async () => compare(call, true))
  }

  Object.entries(calls).forEach(([name, list]) => {
    describe(name, () => {
      list.forEach(compareTwice)
    })
  })

  it('has every function of node:fs/promises', () => {
    const missing = Object.keys(host).filter(key => key !== 'default' && !(key in fs))

    expect(missing).to.deep.equal([])
  })
})
