import fs from 'node:fs'
import path from 'node:path'
import { UnsupportedEntryError } from '../../errors.ts'
import { lookAt } from './look-at.ts'

type Identity = Pick<fs.BigIntStats, 'dev' | 'ino'>

/** What is known of the files that this process has open, whichever of its threads opened them. */
interface FilesInUse {
  /** Device and inode of each file that must not be opened here */
  readonly files: ReadonlySet<string>
  /** Whether one of them may be at a path, by the last part of that */
  isName(hostPath: string): boolean
  /** Their real paths, and those of the directories of pack stores, as far as the system tells */
  readonly paths: ReadonlySet<string>
}

/** A descriptor of a regular file. */
interface Opened {
  readonly key: string
  /** Where the system tells it */
  readonly path: string | undefined
  readonly hasOtherNames: boolean
  readonly isLocked: boolean
  /** Whether an import has it open, or an export that compares */
  readonly isBeingRead: boolean
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DSYNC = 0 } = fs.constants
/**
 * How a file is opened here to be read: a link in its place is not followed, and a pipe does not block. O_DSYNC, which is of
 * matter to writers alone, tells other threads that this is no file of a store.
 */
export const readFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_DSYNC
const storeName = /^(?:lock\.sqlite|index\.sqlite(?:-wal|-shm|-journal)?|segment-\d{8,10}\.car)$/
// files that are locked while they are in use: of a pack store, of SQLite's logs, and of LevelDB
const lockName = /^(?:lock\.sqlite|index\.sqlite|LOCK)$|-shm$/
const databases = [{ name: 'lock.sqlite' }, { name: 'index.sqlite' }]
const lastLettersOfLocks = Array.from('eKm', letter => letter.charCodeAt(0))
const besideDatabase = /-(?:wal|shm|journal)$/
const databaseStart = Buffer.from('SQLite format 3\0')
/** As many tell a database. */
export const startBytes = databaseStart.byteLength
const posixLock = /^lock:\s+\d+: POSIX /m
// a look takes 0.1 to 3 ms
const leastAgeMs = 100
const shareOfTime = 1 / 200
// a database that is being made is empty until it is locked
const newMs = 1_000

const nothing: FilesInUse = { files: new Set(), isName: () => false, paths: new Set() }
const infoBytes = Buffer.alloc(4_096)
let last = nothing
let nextLookAt = -Infinity
/** Files that were locked while they were read, which would end the lock if they were closed */
let kept: number[] = []

/**
 * Whether this process has a file open that must not be opened and closed: the system ends all locks that a process has on a
 * file as soon as any of its threads closes that file. A file of a pack store is one of them, locked or not. Links are not followed.
 */
export function isInUse (hostPath: string): boolean {
  // what was open lately may have been closed since
  return mayBeLock(hostPath) ? isKnown(hostPath, look()) : isKnown(hostPath, lookLately()) && isKnown(hostPath, look())
}

/** Whether a directory is that of a pack store which this process has open. Without its entries, its databases tell. */
export function isStoreInUse (directory: string, entries: ReadonlyArray<Pick<fs.Dirent, 'name'>> = databases): boolean {
  // most directories have no such file, and to look at what is open takes longer than to look for one
  const found = entries.filter(({ name }) => storeName.test(name)).flatMap(({ name }) => lookAt(path.join(directory, name)) ?? [])

  if (found.length === 0) {
    return false
  }

  const known = look()

  return found.some(file => isAmong(known, file))
}

/** The real paths of files that must not be opened, and of the directories of pack stores, as far as the system tells. */
export function pathsInUse (): ReadonlySet<string> {
  return lookLately().paths
}

/** The same, of this very moment. */
export function pathsInUseNow (): ReadonlySet<string> {
  return look().paths
}

/** What is known of a file that is about to be closed. */
export interface ReadFile {
  /** Whether anything was read, or may have been */
  readonly isRead: boolean
  /** Its first bytes, unless reading failed */
  readonly start?: Uint8Array
}

/**
 * Closes a file that was opened to be read, unless this process has come to hold a lock on it meanwhile: then it stays open
 * until the lock has ended. A thread that ends closes it all the same.
 *
 * @throws {UnsupportedEntryError} where it stays open
 */
export function closeRead (descriptor: number, hostPath: string, read: ReadFile): void {
  if (mayBeLocked(descriptor, hostPath, read) && isLockedNow(descriptor)) {
    kept.push(descriptor)
    throw inUse(hostPath)
  }

  fs.closeSync(descriptor)
}

/** Says of what is at a path that it is not read. */
export function inUse (hostPath: string): UnsupportedEntryError {
  return new UnsupportedEntryError('this process has a store or database open there, and reading its files would release its locks: exclude it with `ignore`, or close it first', { path: hostPath })
}

/** Most files are known by their first bytes not to be a database: to ask the system takes longer than reading a small file. */
function mayBeLocked (descriptor: number, hostPath: string, { isRead, start }: ReadFile): boolean {
  if (!isRead || start === undefined) {
    return isRead || mayBeLock(hostPath)
  }

  if (start.byteLength === 0) {
    return mayBeLock(hostPath) || fs.fstatSync(descriptor).ctimeMs > Date.now() - newMs
  }

  return (start[0] === databaseStart[0] && isDatabase(start)) || hostPath.endsWith('-shm')
}

function isKnown (hostPath: string, known: FilesInUse): boolean {
  const found = known.files.size > 0 && known.isName(hostPath) ? lookAt(hostPath) : undefined

  return found !== undefined && isAmong(known, found)
}

function isAmong ({ files }: FilesInUse, file: Identity): boolean {
  return files.size > 0 && files.has(keyOf(file))
}

function lookLately (): FilesInUse {
  return performance.now() < nextLookAt ? last : look()
}

/** Looks at all descriptors. Those that are opened or locked at that moment may be missing. */
function look (except?: number): FilesInUse {
  const began = performance.now()
  last = inUseOf(openedFiles([...kept, except]))
  kept = kept.filter(descriptor => isAmong(last, fs.fstatSync(descriptor, { bigint: true })) || close(descriptor))
  const now = performance.now()
  nextLookAt = now + Math.max(leastAgeMs, (now - began) / shareOfTime)

  return last
}

function inUseOf (opened: readonly Opened[]): FilesInUse {
  const locked = new Set(opened.filter(({ isLocked }) => isLocked).map(file => file.path))
  const taken = opened.filter(file => file.isLocked || (file.path !== undefined && isOfStore(file, file.path, locked)))

  if (taken.length === 0) {
    return nothing
  }

  const paths = taken.flatMap(file => file.path ?? [])

  return {
    files: new Set(taken.map(({ key }) => key)),
    // one with other names, or that the system does not name, can be anywhere
    isName: taken.some(file => file.hasOtherNames || file.path === undefined) ? () => true : amongNames(paths.map(file => path.basename(file))),
    paths: new Set(paths.map(file => storeName.test(path.basename(file)) ? path.dirname(file) : file))
  }
}

/** Many files are asked about, few of which end with the same letter as one of some names. */
function amongNames (names: readonly string[]): (hostPath: string) => boolean {
  const lastLetters = new Set(names.map(name => name.charCodeAt(name.length - 1)))

  return hostPath => lastLetters.has(hostPath.charCodeAt(hostPath.length - 1)) && names.includes(path.basename(hostPath))
}

/** Of the many files of an import, the last letter tells most. */
function mayBeLock (hostPath: string): boolean {
  return lastLettersOfLocks.includes(hostPath.charCodeAt(hostPath.length - 1)) && lockName.test(path.basename(hostPath))
}

/** Whether it is one of a pack store, or stands beside a database that is locked. */
function isOfStore ({ isBeingRead }: Opened, file: string, locked: ReadonlySet<string | undefined>): boolean {
  return !isBeingRead && (storeName.test(path.basename(file)) || (besideDatabase.test(file) && locked.has(file.replace(besideDatabase, ''))))
}

function openedFiles (except: ReadonlyArray<number | undefined>): Opened[] {
  if (process.platform === 'win32') {
    // there a lock is that of a descriptor
    return []
  }

  try {
    return fs.readdirSync('/dev/fd').map(Number).filter(descriptor => !except.includes(descriptor)).flatMap(descriptor => openedFile(descriptor) ?? [])
  } catch {
    // the system does not tell, or not us; stores of this thread are known all the same
    return []
  }
}

function openedFile (descriptor: number): Opened | undefined {
  try {
    // most are pipes and the like, and numbers that are no bigint are read in half the time
    if (!fs.fstatSync(descriptor).isFile()) {
      return
    }

    const stat = fs.fstatSync(descriptor, { bigint: true })

    // one that has no name is found by nobody
    if (stat.nlink === 0n) {
      return
    }

    const file = { key: keyOf(stat), hasOtherNames: stat.nlink > 1n }

    if (process.platform !== 'linux') {
      // no locks are told, but what is a database
      return { ...file, path: undefined, isLocked: stat.size === 0n || isDatabase(startOf(descriptor)), isBeingRead: false }
    }

    const info = infoOf(descriptor)

    return { ...file, path: fs.readlinkSync(`/proc/self/fd/${descriptor}`), isLocked: posixLock.test(info), isBeingRead: (flagsIn(info) & readFlags) === readFlags }
  } catch {
    // it was closed meanwhile
    return undefined
  }
}

/** What Linux tells of a descriptor: its flags, and the locks on its file. */
function infoOf (descriptor: number): string {
  const file = fs.openSync(`/proc/self/fdinfo/${descriptor}`, fs.constants.O_RDONLY)

  try {
    const length = fs.readSync(file, infoBytes)

    // one with hundreds of locks
    return length < infoBytes.byteLength ? infoBytes.toString('latin1', 0, length) : fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')
  } finally {
    fs.closeSync(file)
  }
}

function flagsIn (info: string): number {
  return parseInt(/^flags:\s+([0-7]+)$/m.exec(info)?.[1] ?? '0', 8)
}

/** Whether this process has a lock on a file; where the system does not tell, whether it has it open elsewhere. */
function isLockedNow (descriptor: number): boolean {
  return isAmong(look(descriptor), fs.fstatSync(descriptor, { bigint: true }))
}

/** Read at a position: nobody's place in the file changes. */
function startOf (descriptor: number): Uint8Array {
  const start = Buffer.alloc(databaseStart.byteLength)

  return start.subarray(0, fs.readSync(descriptor, start, 0, start.byteLength, 0))
}

function isDatabase (start: Uint8Array): boolean {
  return databaseStart.equals(start.subarray(0, databaseStart.byteLength))
}

function close (descriptor: number): false {
  fs.closeSync(descriptor)

  return false
}

function keyOf ({ dev, ino }: Identity): string {
  return `${dev}:${ino}`
}
