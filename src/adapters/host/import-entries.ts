import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import { SourceChangedError, UnsupportedEntryError } from '../../errors.ts'
import { splitEntryPath } from '../../path.ts'
import { readHostFile } from './read-host-file.ts'
import { exchanged } from './source-directory.ts'
import type { HostEntry } from './host-walk.ts'
import type { BatchFile } from './read-batch.ts'
import type { HostStat } from './read-host-file.ts'
import type { Time } from '../../codec/index.ts'
import type { AddedDirectory, Addition, BareDirectory, StreamedFile } from '../../fs/index.ts'

/** What is recorded of an entry besides its content. */
export interface EntryAttributes {
  readonly mode?: number
  readonly mtime?: Time
}

export interface ImportEntriesOptions {
  /** The directory of the tree that is imported into */
  readonly to: string
  /** Which attributes are recorded */
  readonly mode: boolean
  readonly mtime: boolean
  /** Called for each file that is or will be read, and each directory whose attributes are recorded, with what it was then */
  onRead(entry: HostEntry, stat: HostStat): void
  /** How the content of a large file is read */
  stream(found: HostEntry, stat: HostStat): Pick<StreamedFile, 'content' | 'onStored'>
}

type TreePlace = Required<Pick<Addition, 'path' | 'names'>>

/**
 * Makes entries of the tree from what a walk found on the host.
 */
export class ImportEntries {
  readonly #options: ImportEntriesOptions
  readonly #toNames: readonly string[]

  constructor (options: ImportEntriesOptions) {
    this.#options = options
    this.#toNames = splitEntryPath(options.to, 'add')
  }

  /**
   * The entry that the tree gets.
   *
   * @param found - what stands on the host
   * @param file - its content, where a thread has read it
   * @throws {SourceChangedError} where it changed or vanished meanwhile
   * @throws {UnsupportedEntryError} where it is a link whose target is not UTF-8, or of a time that no tree can hold
   * @throws {Error} what `node:fs` throws where it cannot be read
   */
  of (found: HostEntry, file: BatchFile | undefined): Addition {
    try {
      return this.#entry(found, file, this.#placeOf(found))
    } catch (err) {
      throw isVanished(err) ? new SourceChangedError('the entry vanished while it was imported', { path: found.hostPath, cause: err }) : err
    }
  }

  /** The directory that is imported into, which is made even where there is nothing to put into it. */
  ofTarget (source: string): AddedDirectory | BareDirectory | undefined {
    const { to } = this.#options

    return to === '/' ? undefined : this.#directory({ path: to }, () => this.#attributesOf(source, () => statOf(source)))
  }

  /** The root of a tree has no entry; a snapshot can carry its attributes. */
  ofRoot (source: string): { readonly attributes?: EntryAttributes } {
    return this.#options.to === '/' && this.#hasAttributes ? { attributes: this.#attributesOf(source, () => statOf(source)) } : {}
  }

  /** What is recorded of what was looked at, whether or not a tree can hold it. */
  attributes (stat: HostStat): EntryAttributes {
    const { mode, mtime } = this.#options

    return {
      ...(mode ? { mode: Number(stat.mode & 0o7777n) } : {}),
      ...(mtime ? { mtime: timeOf(stat) } : {})
    }
  }

  get #hasAttributes (): boolean {
    return this.#options.mode || this.#options.mtime
  }

  /** Looks only where somebody wants to know. */
  #attributesOf (hostPath: string, stat: () => HostStat): EntryAttributes {
    return this.#hasAttributes ? checkTime(this.attributes(stat()), hostPath) : {}
  }

  /** Where none are recorded, it has none, as files have none: not those of an import that recorded them. */
  #directory <P extends Pick<Addition, 'path'>> (place: P, attributes: () => EntryAttributes): P & (AddedDirectory | BareDirectory) {
    return this.#hasAttributes ? { kind: 'directory', ...place, ...attributes() } : { kind: 'directory', ...place, isBare: true }
  }

  #directoryAttributes (found: HostEntry): EntryAttributes {
    return this.#attributesOf(found.hostPath, () => {
      const stat = lstat(found.hostPath)
      this.#options.onRead(found, stat)

      return stat
    })
  }

  #placeOf ({ below, segments }: HostEntry): TreePlace {
    const { to } = this.#options

    return to === '/' ? { path: `/${below}`, names: segments } : { path: `${to}/${below}`, names: [...this.#toNames, ...segments] }
  }

  #entry (found: HostEntry, file: BatchFile | undefined, place: TreePlace): Addition {
    const { kind, hostPath } = found

    if (file?.outcome === 'exchanged') {
      throw exchanged(hostPath)
    }

    switch (kind) {
      case 'file':
        return this.#file(found, file, place)
      case 'symlink': {
        const target = readLink(hostPath)

        return { kind, ...place, target, ...(this.#options.mtime ? checkTime({ mtime: timeOf(lstat(hostPath)) }, hostPath) : {}) }
      }
      default:
        return this.#directory(place, () => this.#directoryAttributes(found))
    }
  }

  #file (found: HostEntry, file: Exclude<BatchFile, { outcome: 'exchanged' }> | undefined, place: TreePlace): Addition {
    const { onRead, stream } = this.#options
    const { hostPath } = found

    switch (file?.outcome) {
      case 'read':
        onRead(found, file.stat)

        return { ...place, hashed: file, ...this.#attributesOf(hostPath, () => file.stat) }
      case 'left':
        onRead(found, file.stat)

        return { ...place, ...stream(found, file.stat), ...this.#attributesOf(hostPath, () => file.stat) }
      case 'changed':
        throw new SourceChangedError('the file changed or vanished while it was imported', { path: hostPath })
      default: {
        // no thread could read it: why, is found now
        const { stat, bytes } = readHostFile(hostPath, length => new Uint8Array(length))
        onRead(found, stat)

        return { ...place, ...(bytes === undefined ? stream(found, stat) : { content: bytes }), ...this.#attributesOf(hostPath, () => stat) }
      }
    }
  }
}

/** Of the directory that is imported, which may be named by a link. */
function statOf (source: string): fs.BigIntStats {
  return fs.statSync(source, { bigint: true })
}

function readLink (hostPath: string): string {
  const bytes = fs.readlinkSync(hostPath, 'buffer')

  if (!isUtf8(bytes)) {
    throw new UnsupportedEntryError('the target of a link is not UTF-8; recreate the link on the host', { path: hostPath })
  }

  return bytes.toString('utf8')
}

function lstat (hostPath: string): fs.BigIntStats {
  return fs.lstatSync(hostPath, { bigint: true })
}

/** Hosts can hold times of which no tree can. */
function checkTime <T extends EntryAttributes> (attributes: T, hostPath: string): T {
  if (attributes.mtime !== undefined && !Number.isSafeInteger(attributes.mtime[0])) {
    throw new UnsupportedEntryError('its modification time is out of range; set another on the host', { path: hostPath })
  }

  return attributes
}

function timeOf ({ mtimeNs }: HostStat): Time {
  const nanoseconds = ((mtimeNs % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n

  return [Number((mtimeNs - nanoseconds) / 1_000_000_000n), Number(nanoseconds)]
}

function isVanished (err: unknown): boolean {
  return err instanceof Error && 'code' in err && (err.code === 'ENOENT' || err.code === 'EINVAL' || err.code === 'ENOTDIR')
}
