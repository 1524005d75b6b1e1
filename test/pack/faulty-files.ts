import { join, relative } from 'node:path'
import { isErrorCode } from '../../src/pack/files/error-code.ts'
import type { Files, Lock, OpenFile } from '../../src/pack/files/files.ts'

/** A change of a file that the disk may not have yet */
type Pending =
  | { readonly kind: 'write', readonly position: number, readonly bytes: Uint8Array }
  | { readonly kind: 'truncate', readonly length: number }

/** What a name stands for: the same file under another name is the same. */
class Inode {
  durable: Uint8Array
  current: Uint8Array
  pending: Pending[] = []

  constructor (content: Uint8Array = new Uint8Array(0)) {
    this.durable = content
    this.current = content
  }

  change (change: Pending): void {
    this.current = applied(this.current, change)
    this.pending.push(change)
  }

  /** What was to be written when a sync began: what comes meanwhile is for the next one. */
  beginSync (): ReadonlySet<Pending> {
    return new Set(this.pending)
  }

  sync (begun: ReadonlySet<Pending>): void {
    this.durable = this.pending.filter(change => begun.has(change)).reduce(applied, this.durable)
    this.pending = this.pending.filter(change => !begun.has(change))
  }

  /** The system takes for written what the disk did not take, and has reads see it: nobody writes it any more. Lengths are in a journal. */
  failSync (begun: ReadonlySet<Pending>): void {
    this.pending = this.pending.filter(change => change.kind === 'truncate' || !begun.has(change))
  }
}

/** A change of a name that the disk may not have yet; undefined where the name is removed */
interface PendingName {
  readonly path: string
  readonly inode: Inode | undefined
}

export interface Fault {
  /** The operation that fails, counted from 1 */
  readonly at: number
  /** Whether every operation after it fails as well */
  readonly isForGood: boolean
  /** `short` writes half of the bytes first; `kill` stops the process: nothing after it happens */
  readonly code: 'EIO' | 'ENOSPC' | 'EMFILE' | 'EACCES' | 'short' | 'kill'
}

/**
 * Files in memory that know what a disk would have after a power cut, and fail where they are told to.
 */
export class FaultyFiles implements Files {
  operations = 0
  fault: Fault | undefined
  readonly #names = new Map<string, Inode>()
  #durableNames = new Map<string, Inode>()
  #pendingNames: PendingName[] = []
  #isLocked = false

  async open (path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile> {
    await this.step()
    const known = this.#names.get(path)

    if (mode === 'create' && known !== undefined) {
      throw failure('EEXIST')
    }

    if (mode !== 'create' && known === undefined) {
      throw failure('ENOENT')
    }

    const inode = known ?? new Inode()
    this.#name(path, inode)

    return new FaultyFile(this, inode)
  }

  async list (directory: string): Promise<string[]> {
    await this.step()

    return [...this.#names.keys()].filter(path => path.startsWith(`${directory}/`)).map(path => path.slice(directory.length + 1))
  }

  async makeDirectory (): Promise<void> {
    await this.step()
  }

  async rename (from: string, to: string): Promise<void> {
    await this.step()
    const inode = this.#names.get(from)
    this.#name(from, undefined)
    this.#name(to, inode)
  }

  async unlink (path: string): Promise<void> {
    await this.step()

    if (!this.#names.has(path)) {
      throw failure('ENOENT')
    }

    this.#name(path, undefined)
  }

  async syncDirectory (): Promise<void> {
    await this.step()
    this.#durableNames = new Map(this.#names)
    this.#pendingNames = []
  }

  lock (): Lock | undefined {
    if (this.#isLocked) {
      return
    }

    this.#isLocked = true

    return {
      release: () => {
        this.#isLocked = false
      }
    }
  }

  /** Counts an operation and fails it where that is its turn; answers whether only half of it is to happen. */
  async step (): Promise<boolean> {
    await Promise.resolve()

    return this.stepNow()
  }

  stepNow (): boolean {
    this.operations++
    const { fault } = this

    if (fault === undefined || this.operations < fault.at) {
      return false
    }

    const isDead = fault.code === 'kill' && this.operations > fault.at
    const isTurn = this.operations === fault.at || fault.isForGood

    if (fault.code === 'short' || (fault.code === 'kill' && !isDead)) {
      return isTurn
    }

    if (isTurn || isDead) {
      throw failure(fault.code)
    }

    return false
  }

  /** The disk as it is when the process was killed: what was written is there, synced or not. */
  afterKill (): FaultyFiles {
    return copyOf(this.#names, inode => inode.current)
  }

  /**
   * The disk as it may be after a power cut: of what was not synced, any part may be there, whole or torn.
   *
   * @param random - numbers from 0 to 1
   */
  afterPowerCut (random: () => number): FaultyFiles {
    const names = new Map(this.#durableNames)

    for (const { path, inode } of this.#pendingNames) {
      if (random() < 0.5) {
        continue
      }

      if (inode === undefined) {
        names.delete(path)
      } else {
        names.set(path, inode)
      }
    }

    return copyOf(names, inode => survivor(inode, random))
  }

  /** Whether a name stands for a file */
  isNamed (path: string, inode: Inode): boolean {
    return this.#names.get(path) === inode
  }

  /** The same files in another directory */
  movedTo (from: string, to: string): FaultyFiles {
    return copyOf(new Map([...this.#names].map(([path, inode]) => [join(to, relative(from, path)), inode])), inode => inode.current)
  }

  /** The bytes of every file, to be looked at and damaged */
  contents (): Map<string, Uint8Array> {
    return new Map([...this.#names].map(([path, inode]) => [path, inode.current]))
  }

  /** Makes a file of some bytes, without a turn. */
  set (path: string, content: Uint8Array): void {
    const inode = new Inode(content)
    this.#names.set(path, inode)
    this.#durableNames.set(path, inode)
  }

  remove (path: string): void {
    this.#names.delete(path)
    this.#durableNames.delete(path)
  }

  #name (path: string, inode: Inode | undefined): void {
    if (this.#names.get(path) === inode) {
      return
    }

    if (inode === undefined) {
      this.#names.delete(path)
    } else {
      this.#names.set(path, inode)
    }

    this.#pendingNames.push({ path, inode })
  }
}

class FaultyFile implements OpenFile {
  readonly #files: FaultyFiles
  readonly #inode: Inode

  constructor (files: FaultyFiles, inode: Inode) {
    this.#files = files
    this.#inode = inode
  }

  async read (bytes: Uint8Array, position: number): Promise<number> {
    await this.#files.step()

    return this.#copy(bytes, position)
  }

  readNow (bytes: Uint8Array, position: number): number {
    this.#files.stepNow()

    return this.#copy(bytes, position)
  }

  async write (bytes: Uint8Array, position: number): Promise<void> {
    const isHalf = await this.#files.step()
    const taken = isHalf ? bytes.subarray(0, bytes.byteLength >> 1) : bytes
    // slice() of a Buffer would be the same memory, which the writer uses again
    this.#inode.change({ kind: 'write', position, bytes: new Uint8Array(taken) })

    if (isHalf) {
      throw failure('ENOSPC')
    }
  }

  async size (): Promise<number> {
    await this.#files.step()

    return this.#inode.current.byteLength
  }

  isAt (path: string): boolean {
    return this.#files.isNamed(path, this.#inode)
  }

  state (): string {
    return ''
  }

  async truncate (length: number): Promise<void> {
    await this.#files.step()

    if (length !== this.#inode.current.byteLength) {
      this.#inode.change({ kind: 'truncate', length })
    }
  }

  async sync (): Promise<void> {
    const begun = this.#inode.beginSync()

    try {
      await this.#files.step()
    } catch (err) {
      if (!isErrorCode(err, 'kill')) {
        this.#inode.failSync(begun)
      }

      throw err
    }

    this.#inode.sync(begun)
  }

  async close (): Promise<void> {
    // a file is closed whatever close() answers, and nothing rests on its answer
    await Promise.resolve()
  }

  #copy (bytes: Uint8Array, position: number): number {
    const found = this.#inode.current.subarray(position, position + bytes.byteLength)
    bytes.set(found)

    return found.byteLength
  }
}

export function failure (code: string): Error {
  return Object.assign(new Error(`${code}: a fault of the test's`), { code })
}

function applied (content: Uint8Array, change: Pending): Uint8Array {
  const length = change.kind === 'truncate' ? change.length : Math.max(content.byteLength, change.position + change.bytes.byteLength)
  const next = new Uint8Array(length)
  next.set(content.subarray(0, length))

  if (change.kind === 'write') {
    next.set(change.bytes, change.position)
  }

  return next
}

function survivor ({ durable, pending }: Inode, random: () => number): Uint8Array {
  return pending.reduce((content, change) => {
    const fate = random()

    if (fate < 0.3) {
      return content
    }

    if (change.kind === 'truncate' || fate < 0.6) {
      return applied(content, change)
    }

    // torn: each sector of it may be there
    return sectors(change, 512 << Math.floor(random() * 4)).reduce((torn, sector) => random() < 0.5 ? applied(torn, sector) : torn, content)
  }, durable)
}

/** The parts of a write that a disk writes whole: 512 bytes to 4 KiB. */
function sectors ({ position, bytes }: { position: number, bytes: Uint8Array }, sectorBytes: number): Pending[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / sectorBytes) }, (_, i) => ({
    kind: 'write',
    position: position + i * sectorBytes,
    bytes: bytes.subarray(i * sectorBytes, (i + 1) * sectorBytes)
  }))
}

function copyOf (names: ReadonlyMap<string, Inode>, contentOf: (inode: Inode) => Uint8Array): FaultyFiles {
  const copy = new FaultyFiles()

  for (const [path, inode] of names) {
    copy.set(path, contentOf(inode))
  }

  return copy
}
