import fs from 'node:fs'
import path from 'node:path'
import { TargetChangedError } from '../../errors.ts'
import { removeUnfinished } from './remove-unfinished.ts'

const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = fs.constants
// opens a directory without reading it, which takes no permission. Node has no name for it; it is this on every processor that Node runs on
const O_PATH = 0o10000000
// Linux allows 4,095 bytes, and no character has more than three for each unit of a string
const longPath = 4_095 / 3
const absences: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP']
const shortages: readonly unknown[] = ['EMFILE', 'ENFILE']
// a process may have few descriptors, and files and stores need some
const maxHeldLevels = 64

interface TargetDirectoryInit {
  /** Its path on the host, whose names need not be UTF-8 */
  readonly place: Buffer
  /** Whether its name may be that of a link */
  readonly isFollowed: boolean
  readonly descriptor: number | undefined
  readonly found: fs.BigIntStats
  /** How many directories it is in, from the one that is exported to */
  readonly level: number
}

/**
 * A directory that an export works in, and which stays the same one whatever becomes of its name: another process may put a
 * link in its place, and nothing must be written or removed where that leads.
 *
 * On Linux it is held by a descriptor, and everything in it is reached through that. Where that cannot be, and below the levels
 * that are held, what has its name is compared with it each time that a path into it is asked for.
 */
export class TargetDirectory {
  /** As messages name it */
  readonly hostPath: string
  readonly #init: TargetDirectoryInit
  /** What paths into it begin with */
  readonly #way: string

  private constructor (init: TargetDirectoryInit) {
    this.hostPath = init.place.toString()
    this.#init = init
    this.#way = init.descriptor === undefined ? this.hostPath : pathOf(init.descriptor)
  }

  /** The directory that is exported to, which a link may name. It has to be closed. */
  static target (hostPath: string): TargetDirectory {
    return TargetDirectory.#open({ place: Buffer.from(hostPath), isFollowed: true, descriptor: holdTarget(hostPath), level: 0 }, hostPath)
  }

  /**
   * A directory that is in it. It has to be closed.
   *
   * @throws {TargetChangedError} where no directory has that name any more
   */
  open (name: string | Buffer): TargetDirectory {
    const { place, descriptor, level } = this.#init
    const [inner, way] = typeof name === 'string' ? [Buffer.from(path.join(this.hostPath, name)), this.at(name)] : [inDirectory(place, name), this.bytesAt(name)]

    const isHeld = descriptor !== undefined && level + 1 < maxHeldLevels

    return TargetDirectory.#open({ place: inner, isFollowed: false, descriptor: isHeld ? openIfThere(way, O_NOFOLLOW) : undefined, level: level + 1 }, way)
  }

  static #open (init: Omit<TargetDirectoryInit, 'found'>, way: string | Buffer): TargetDirectory {
    const { place, isFollowed, descriptor } = init
    const found = descriptor === undefined ? look(way, isFollowed) : fs.fstatSync(descriptor, { bigint: true })

    if (found?.isDirectory() !== true) {
      throw changed(place)
    }

    return new TargetDirectory({ ...init, found })
  }

  close (): void {
    close(this.#init.descriptor)
  }

  /**
   * The path through which an entry is to be reached now.
   *
   * @throws {TargetChangedError} where it cannot be
   * @throws {Error} what `node:fs` throws where the path on the host is too long
   */
  at (name: string): string {
    if (this.#init.descriptor === undefined) {
      this.check()

      return path.join(this.hostPath, name)
    }

    // a descriptor makes any path a short one, and nobody else could reach what would stand there
    if (this.hostPath.length + name.length >= longPath) {
      look(path.join(this.hostPath, name), false)
    }

    return `${this.#way}/${name}`
  }

  /** The same for a name that is there, and need not be UTF-8. */
  bytesAt (name: Buffer): Buffer {
    return inDirectory(this.self(), name)
  }

  /** The path through which the directory itself is to be reached now. */
  self (): Buffer {
    if (this.#init.descriptor !== undefined) {
      return Buffer.from(this.#way)
    }

    this.check()

    return this.#init.place
  }

  /**
   * Checks that its name still stands for it.
   *
   * @throws {TargetChangedError}
   */
  check (): void {
    const { place, isFollowed, found } = this.#init
    const now = look(place, isFollowed)

    if (now?.dev !== found.dev || now.ino !== found.ino) {
      throw changed(place)
    }
  }

  /** Removes an entry that could not be made in full, as far as that can be done: why it could not is what the caller has to hear. */
  discard (name: string): void {
    try {
      removeUnfinished(this.at(name))
    } catch {
      // it cannot be reached any more
    }
  }

  /** What `node:fs` threw, with the path on the host where it has one that was given here. */
  named (err: unknown): unknown {
    if (err instanceof Error && this.#init.descriptor !== undefined) {
      // in a sentence, a path stands between quotation marks
      const given = new RegExp(`${this.#way}(?=[/']|$)`, 'g')

      for (const key of ['message', 'stack', 'path', 'dest']) {
        const text: unknown = Reflect.get(err, key)

        if (typeof text === 'string' && text.includes(this.#way)) {
          Reflect.set(err, key, text.replace(given, () => this.hostPath))
        }
      }
    }

    return err
  }
}

/** Returns undefined where that holds nothing: outside of Linux, and where `/proc` is not there or is that of other processes. */
function holdTarget (hostPath: string): number | undefined {
  const descriptor = process.platform === 'linux' ? openIfThere(hostPath, 0) : undefined

  if (descriptor === undefined) {
    return
  }

  const { dev, ino } = fs.fstatSync(descriptor, { bigint: true })
  const shown = look(pathOf(descriptor), true)

  if (shown?.dev === dev && shown.ino === ino) {
    return descriptor
  }

  close(descriptor)
}

/** Opens a directory. Why it cannot be opened is found by whoever looks at it; others may have taken all descriptors. */
function openIfThere (way: string | Buffer, flags: number): number | undefined {
  try {
    return fs.openSync(way, O_PATH | O_DIRECTORY | flags)
  } catch (err) {
    if (!hasCode(err, [...absences, ...shortages])) {
      throw err
    }
  }
}

function look (hostPath: string | Buffer, isFollowed: boolean): fs.BigIntStats | undefined {
  try {
    return isFollowed ? fs.statSync(hostPath, { bigint: true }) : fs.lstatSync(hostPath, { bigint: true })
  } catch (err) {
    if (!hasCode(err, absences)) {
      throw err
    }
  }
}

function hasCode (err: unknown, codes: readonly unknown[]): boolean {
  return err instanceof Error && 'code' in err && codes.includes(err.code)
}

function close (descriptor: number | undefined): void {
  if (descriptor !== undefined) {
    fs.closeSync(descriptor)
  }
}

function pathOf (descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}

function inDirectory (directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from(path.sep), name])
}

function changed (place: Buffer): TargetChangedError {
  return new TargetChangedError('a directory was replaced during the export', { path: place.toString() })
}
