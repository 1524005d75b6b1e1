import fc from 'fast-check'
import { constants } from '../../../src/index.ts'
import type * as node from 'node:fs/promises'

/** `node:fs/promises` or a dagfs, which is to be taken for it. */
export type Fs = typeof node

/** A call as plain data: the name of a step, paths below the directory of the test, and what else it is given. */
export interface Call {
  readonly step: string
  readonly paths: readonly string[]
  readonly option?: number
}

type Step = (fs: Fs, paths: readonly string[], option: number) => Promise<unknown>

const { COPYFILE_EXCL, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants

const flags = [
  'r', 'r+', 'w', 'w+', 'wx', 'a', 'a+', 'ax',
  O_RDONLY | O_DIRECTORY, O_RDONLY | O_NOFOLLOW, O_RDWR | O_DIRECTORY, O_WRONLY | O_NOFOLLOW, O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
  O_RDONLY | O_CREAT, O_RDONLY | O_TRUNC, O_RDWR | O_CREAT | O_NOFOLLOW, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
  O_RDONLY | O_CREAT | O_DIRECTORY, O_RDWR | O_CREAT | O_DIRECTORY, O_RDONLY | O_CREAT | O_DIRECTORY | O_EXCL
]

// a directory that its owner cannot use is refused to ordinary users, and not to others
const modes = [0o700, 0o710, 0o750, 0o755]

/** Every call of a path, by the options that change its way. */
export const steps: Readonly<Record<string, Step>> = {
  access: async (fs, [path], option) => fs.access(path, [0, 1, 2, 4][option % 4]),
  appendFile: async (fs, [path]) => fs.appendFile(path, '+'),
  chmod: async (fs, [path], option) => fs.chmod(path, modes[option % modes.length]),
  copyFile: async (fs, [from, to]) => fs.copyFile(from, to),
  'copyFile exclusive': async (fs, [from, to]) => fs.copyFile(from, to, COPYFILE_EXCL),
  cp: async (fs, [from, to]) => fs.cp(from, to, { verbatimSymlinks: true }),
  'cp recursive': async (fs, [from, to]) => fs.cp(from, to, { recursive: true, verbatimSymlinks: true }),
  lstat: async (fs, [path]) => plainStats(await fs.lstat(path)),
  lutimes: async (fs, [path], option) => fs.lutimes(path, 1, 1_600_000_000 + option),
  mkdir: async (fs, [path]) => fs.mkdir(path),
  'mkdir recursive': async (fs, [path]) => fs.mkdir(path, { recursive: true }),
  mkdtemp: async (fs, [path]) => {
    const made = await fs.mkdtemp(path)
    await fs.rmdir(made)

    return made.slice(0, -6)
  },
  open: async (fs, [path], option) => {
    const handle = await fs.open(path, flags[option % flags.length])

    try {
      return plainStats(await handle.stat())
    } finally {
      await handle.close()
    }
  },
  opendir: async (fs, [path]) => {
    const names: string[] = []

    for await (const { name } of await fs.opendir(path)) {
      names.push(name)
    }

    return names.toSorted()
  },
  readFile: async (fs, [path]) => fs.readFile(path, 'utf8'),
  readdir: async (fs, [path]) => (await fs.readdir(path)).toSorted(),
  'readdir with types': async (fs, [path]) => (await fs.readdir(path, { recursive: true, withFileTypes: true }))
    .map(({ name, parentPath }) => `${parentPath} ${name}`).toSorted(),
  readlink: async (fs, [path]) => fs.readlink(path),
  realpath: async (fs, [path]) => fs.realpath(path),
  rename: async (fs, [from, to]) => fs.rename(from, to),
  rm: async (fs, [path]) => fs.rm(path),
  'rm force': async (fs, [path]) => fs.rm(path, { force: true }),
  'rm recursive': async (fs, [path]) => fs.rm(path, { recursive: true }),
  'rm recursive force': async (fs, [path]) => fs.rm(path, { recursive: true, force: true }),
  rmdir: async (fs, [path]) => fs.rmdir(path),
  stat: async (fs, [path]) => plainStats(await fs.stat(path)),
  symlink: async (fs, [target, path]) => fs.symlink(target, path),
  truncate: async (fs, [path], option) => fs.truncate(path, option % 8),
  unlink: async (fs, [path]) => fs.unlink(path),
  utimes: async (fs, [path], option) => fs.utimes(path, 1, 1_600_000_000 + option),
  writeFile: async (fs, [path], option) => fs.writeFile(path, `w${option}`, { flag: ['w', 'w', 'wx', 'r+'][option % 4] }),
  'writeFile streamed': async (fs, [path], option) => fs.writeFile(path, [`s${option}`, '.'.repeat(3_000)])
}

const pairs = ['copyFile', 'copyFile exclusive', 'cp', 'cp recursive', 'rename']
// more often: what makes the tree
const making = Array.from({ length: 4 }, () => ['mkdir', 'mkdir', 'mkdir recursive', 'symlink', 'symlink', 'symlink', 'writeFile', 'writeFile', 'rename', 'copyFile']).flat()

const longest = 'n'.repeat(255)
const tooLong = 'n'.repeat(256)
const name = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 8, arbitrary: fc.constantFrom('.', '..') },
  { weight: 1, arbitrary: fc.constantFrom(longest, tooLong) }
)
const end = fc.constantFrom('', '', '', '', '', '', '/', '/.', '/..', '//')
const path = fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.tuple(name) }, { weight: 2, arbitrary: fc.tuple(name, name) }, { weight: 1, arbitrary: fc.tuple(name, name, name) }), end).map(([names, last]) => names.join('/') + last)

// a link leads one level up at most, or to the directory of the test, and Linux follows forty: so none leads out of all that is above it
const target = fc.tuple(
  fc.constantFrom('', '', '', './', '../', '@/'),
  fc.array(fc.constantFrom('a', 'b', 'c', '.'), { minLength: 1, maxLength: 2 }),
  fc.constantFrom('', '', '/', '/.', '//')
).map(([start, names, last]) => start + names.join('/') + last)

const option = fc.nat({ max: 19 })

export const call: fc.Arbitrary<Call> = fc.constantFrom(...Object.keys(steps), ...making).chain(step => {
  const first = step === 'symlink' ? fc.oneof({ weight: 20, arbitrary: target }, { weight: 1, arbitrary: fc.constantFrom('', '.', '..', '@///', tooLong) }) : path
  const paths = step === 'symlink' || pairs.includes(step) ? fc.tuple(first, path) : fc.tuple(path)

  return fc.record({ step: fc.constant(step), paths, option })
})

/** How a call ended. */
export type Outcome = { readonly value: unknown } | { readonly code: unknown, readonly message: string, readonly facts: object }

/** Makes a call in a directory; what it returns or throws names paths below that directory by `@`. */
export async function outcome (fs: Fs, base: string, { step, paths, option: given = 0 }: Call): Promise<Outcome> {
  const short = (text: string): string => {
    const below = text.replaceAll(base, '@')

    // six letters at random
    return step === 'mkdtemp' ? below.replace(/\w{6}(?='?$)/, '') : below
  }

  const whole = paths.map((each, i) => step === 'symlink' && i === 0 ? each.replace(/^@/, base) : `${base}/${each}`)

  try {
    return { value: await steps[step](fs, whole, given).then(value => JSON.parse(short(JSON.stringify(value ?? null)))) }
  } catch (err) {
    const { code, errno, syscall, path: named, dest, message } = err as NodeJS.ErrnoException & { dest?: string }
    const facts = { errno, syscall, ...(named === undefined ? {} : { path: short(named) }), ...(dest === undefined ? {} : { dest: short(dest) }) }

    return { code, message: short(message), facts }
  }
}

function plainStats (stats: Awaited<ReturnType<Fs['stat']>>): object {
  const kind = [stats.isFile(), stats.isDirectory(), stats.isSymbolicLink()]

  // what a directory takes is the host's own affair
  return stats.isDirectory() ? { kind, mode: stats.mode } : { kind, mode: stats.mode, size: stats.size, nlink: stats.nlink }
}
