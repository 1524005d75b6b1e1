import fc from 'fast-check'
import type { Call, Content, Operation } from './calls.ts'

// few names and short paths, so that operations often meet
const name = fc.constantFrom('a', 'b', 'é')
const path = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 4, arbitrary: fc.tuple(name, name).map(names => names.join('/')) },
  { weight: 1, arbitrary: fc.tuple(name, name, name).map(names => names.join('/')) }
)

const anyDirectory = fc.oneof(path, fc.constant('.'))

// empty, held in the entry, the last that is and the first that is not, chunks and more
const content: fc.Arbitrary<Content> = fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.constantFrom(0, 1, 7, 2_048, 2_049, 5_000))
const length = fc.constantFrom(0, 1, 5, 2_048, 2_049, 6_000)
const position = fc.oneof(fc.constant(null), fc.constantFrom(0, 1, 100, 2_048, 7_000))
const slot = fc.nat({ max: 5 })
// a directory that its owner cannot use is refused to ordinary users, and not to others
const mode = fc.constantFrom(0o700, 0o710, 0o755, 0o777)
const seconds = fc.constantFrom(0, 1, 1_700_000_000, 1_700_000_000.25)

const args: { [K in Call]: fc.Arbitrary<Extract<Operation, { call: K }>['args']> } = {
  mkdir: fc.tuple(path, fc.boolean()),
  writeFile: fc.tuple(path, content, fc.constantFrom('w', 'w', 'w', 'wx', 'a', 'r+')),
  appendFile: fc.tuple(path, content),
  readFile: fc.tuple(path),
  truncate: fc.tuple(path, length),
  rename: fc.tuple(path, path),
  rm: fc.tuple(path, fc.boolean(), fc.boolean()),
  rmdir: fc.tuple(path),
  unlink: fc.tuple(path),
  copyFile: fc.tuple(path, path, fc.constantFrom(0, 1)),
  cp: fc.tuple(path, path, fc.record({ recursive: fc.boolean(), force: fc.boolean(), errorOnExist: fc.boolean() })),
  // a target never climbs: the temporary directory that stands for the root has a parent
  symlink: fc.tuple(path, path),
  readlink: fc.tuple(path),
  realpath: fc.tuple(path),
  stat: fc.tuple(path),
  lstat: fc.tuple(path),
  statMode: fc.tuple(path),
  lstatMode: fc.tuple(path),
  readdir: fc.tuple(anyDirectory),
  readdirTypes: fc.tuple(anyDirectory, fc.boolean()),
  access: fc.tuple(path, fc.constantFrom(0, 1, 2, 4, 6)),
  chmod: fc.tuple(path, mode),
  utimes: fc.tuple(path, seconds),
  lutimes: fc.tuple(path, seconds),
  open: fc.tuple(path, fc.constantFrom('r', 'r+', 'w', 'w+', 'wx', 'wx+', 'a', 'a+', 'ax')),
  handleRead: fc.tuple(slot, length, position),
  handleWrite: fc.tuple(slot, content, position),
  handleReadFile: fc.tuple(slot),
  handleWriteFile: fc.tuple(slot, content),
  handleAppendFile: fc.tuple(slot, content),
  handleTruncate: fc.tuple(slot, length),
  handleStat: fc.tuple(slot),
  handleChmod: fc.tuple(slot, mode),
  handleSync: fc.tuple(slot),
  handleClose: fc.tuple(slot)
}

/** What the plain model has as well */
export const plainCalls: readonly Call[] = [
  'mkdir', 'writeFile', 'appendFile', 'readFile', 'truncate', 'rename', 'rm', 'rmdir', 'unlink', 'copyFile',
  'symlink', 'readlink', 'realpath', 'stat', 'lstat', 'readdir', 'readdirTypes'
]

export const allCalls = Object.keys(args) as Call[]

/** Operations with one of the given calls. */
export function operation (call: Call): fc.Arbitrary<Operation> {
  // a call and its arguments come from one row of the table, which TypeScript cannot follow
  return args[call].map(given => ({ call, args: given }) as Operation)
}
