import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import path from 'node:path'
import { FileSystemError, SourceChangedError, UnsupportedEntryError } from '../../errors.ts'
import { compareNames } from '../../path.ts'
import { inUse, isStoreInUse } from './files-in-use.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { OpenStores } from './open-stores-below.ts'
import { SourceDirectory } from './source-directory.ts'
import type { IgnoreOptions } from './ignore-rules.ts'
import type { Refuse } from './refuse.ts'

// looking at every directory once more takes a twentieth of the time of an import that reads no file
const momentMs = 10

/** Something found below a host directory. */
export interface HostEntry {
  readonly hostPath: string
  /** Its names from the directory that is walked */
  readonly segments: readonly string[]
  /** The same as a path, with slashes between them */
  readonly below: string
  readonly kind: 'file' | 'directory' | 'symlink'
  /** What it is in */
  readonly directory: SourceDirectory
}

export interface WalkOptions extends IgnoreOptions {
  /** How many names a path may have, from the directory that is walked */
  readonly maxSegments: number
  /** Whether what has a path on the host is left out, besides what is ignored */
  isLeftOut?(hostPath: string): boolean
}

/** What is in a directory, but for what is ignored or left out. */
export interface HostListing {
  /** The names of the directory from the one that is walked */
  readonly segments: readonly string[]
  /** Of what is no file, directory or link the kind is undefined; for a name that is not taken there is undefined, as in a walk */
  kinds(): Iterable<readonly [name: string, kind: HostEntry['kind'] | undefined] | undefined>
}

/**
 * Walks a host directory, each directory before what is in it, names in order. Symbolic links are found, not followed.
 * For a name that is left out there is undefined: it may be one of very many, and whoever walks has to give the event loop its turns.
 * `listed` is told of each directory that could be read, before what is in it is found.
 */
export function * walkHost (root: string, options: WalkOptions, refuse: Refuse, listed?: (listing: HostListing) => void): Generator<HostEntry | undefined> {
  const walk = { stores: new OpenStores(root), isLeftOut: options.isLeftOut, refuse, listed }
  // those on the way to the one whose entries are next: generators in generators would pass each entry through all of them
  const open = [openDirectory(root, { segments: [], below: '' }, { rules: new IgnoreRules(options) }, walk)]

  for (let directory = open.at(-1); directory !== undefined; directory = open.at(-1)) {
    const { value: dirent } = directory.dirents.next()

    if (dirent === undefined) {
      open.pop()
      continue
    }

    const { prefix, segments, below, rules, source } = directory
    const { name } = dirent
    const kind = kindOf(dirent)
    const hostPath = prefix + name
    const names = [...segments, name]

    if (rules.ignores(names, kind === 'directory') || walk.isLeftOut?.(hostPath) === true) {
      yield undefined
      continue
    }

    // what is in it is deeper still
    if (names.length > options.maxSegments) {
      refuse(new FileSystemError('ENAMETOOLONG', 'add', hostPath, 'a tree has fewer levels'), hostPath)
      yield undefined
      continue
    }

    if (kind === undefined) {
      refuse(new UnsupportedEntryError('only files, directories and symbolic links can be imported, not sockets, pipes or devices', { path: hostPath }), hostPath)
      yield undefined
      continue
    }

    // that of a directory is checked when it is read
    if (directory.hasOpenStores && kind === 'file' && !mayRead(hostPath, walk.stores, refuse)) {
      yield undefined
      continue
    }

    const entry = { hostPath, segments: names, below: below === '' ? name : `${below}/${name}`, kind, directory: source }
    yield entry

    if (kind === 'directory') {
      open.push(openDirectory(hostPath, entry, directory, walk))
    }
  }
}

interface Walk {
  readonly stores: OpenStores
  readonly isLeftOut: WalkOptions['isLeftOut']
  readonly refuse: Refuse
  readonly listed: ((listing: HostListing) => void) | undefined
}

/** A directory that is being walked. */
interface OpenDirectory extends Pick<HostEntry, 'segments' | 'below'> {
  /** The host paths of what is in it begin so */
  readonly prefix: string
  readonly source: SourceDirectory
  readonly rules: IgnoreRules
  /** Whether this process has files of it, or below it, open */
  readonly hasOpenStores: boolean
  /** What is still to come */
  readonly dirents: Iterator<fs.Dirent>
  readonly readAt: number
}

/** The directory that another one is in, as far as that matters; the one that is walked is in none that was read */
type Outer = Pick<OpenDirectory, 'rules'> & Partial<Pick<OpenDirectory, 'readAt' | 'source'>>

function openDirectory (directory: string, { segments, below }: Pick<HostEntry, 'segments' | 'below'>, outer: Outer, { stores, isLeftOut, refuse, listed }: Walk): OpenDirectory {
  const prefix = directory.endsWith(path.sep) ? directory : directory + path.sep
  const source = new SourceDirectory(directory, outer.source)
  const dirents = read(directory, { source, foundAt: outer.readAt, stores }, refuse)
  const rules = outer.rules.within(directory, segments.length, file => dirents?.some(dirent => dirent.name === file && dirent.isFile()) === true, refuse)

  if (dirents !== undefined) {
    listed?.({ segments, kinds: () => kindsOf(dirents, dirent => !rules.ignores([...segments, dirent.name], dirent.isDirectory()) && isLeftOut?.(prefix + dirent.name) !== true) })
  }

  return { segments, below, prefix, source, rules, hasOpenStores: stores.hasIn(directory), dirents: (dirents ?? []).values(), readAt: performance.now() }
}

function * kindsOf (dirents: readonly fs.Dirent[], isTaken: (dirent: fs.Dirent) => boolean): Generator<[name: string, kind: HostEntry['kind'] | undefined] | undefined> {
  for (const dirent of dirents) {
    yield isTaken(dirent) ? [dirent.name, kindOf(dirent)] : undefined
  }
}

/** Whether a file is none of an open store. */
function mayRead (hostPath: string, stores: OpenStores, refuse: Refuse): boolean {
  try {
    stores.checkRead(hostPath)

    return true
  } catch (err) {
    refuse(err, hostPath)

    return false
  }
}

/** What is known of a directory before it is read. */
interface FoundDirectory {
  readonly source: SourceDirectory
  /** When its name was read; undefined for the one that is walked */
  readonly foundAt: number | undefined
  readonly stores: OpenStores
}

function read (directory: string, { source, foundAt, stores }: FoundDirectory, refuse: Refuse): fs.Dirent[] | undefined {
  try {
    stores.checkRead(directory)

    const dirents = fs.readdirSync(directory, { withFileTypes: true })

    if (isStoreInUse(directory, dirents)) {
      throw inUse(directory)
    }

    const since = performance.now() - momentMs

    // it was a directory when it was found, and nobody can tell what it is at the very moment in which it is read
    if (foundAt !== undefined && since > foundAt && !source.isIntact(since)) {
      throw new SourceChangedError('the directory was replaced while it was imported', { path: directory })
    }

    const doubtful = dirents.some(({ name }) => name.includes('\ufffd'))

    return (doubtful ? withUtf8Names(directory, dirents, refuse) : dirents).sort((a, b) => compareNames(a.name, b.name))
  } catch (err) {
    if (foundAt === undefined) {
      throw err
    }

    refuse(err, directory)
  }
}

/** A name that is not UTF-8 is read with U+FFFD in it, and so is one that has it; the bytes tell which. */
function withUtf8Names (directory: string, dirents: fs.Dirent[], refuse: Refuse): fs.Dirent[] {
  const intact = new Set<string>()

  for (const bytes of fs.readdirSync(directory, 'buffer')) {
    const name = bytes.toString('utf8')

    if (isUtf8(bytes)) {
      intact.add(name)
    } else {
      const hostPath = path.join(directory, name)
      refuse(new UnsupportedEntryError('a name is not UTF-8; rename it on the host', { path: hostPath }), hostPath)
    }
  }

  return dirents.filter(({ name }) => intact.has(name))
}

function kindOf (dirent: fs.Dirent): HostEntry['kind'] | undefined {
  if (dirent.isFile()) {
    return 'file'
  }

  if (dirent.isDirectory()) {
    return 'directory'
  }

  return dirent.isSymbolicLink() ? 'symlink' : undefined
}
