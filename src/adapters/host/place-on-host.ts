import { isUtf8 } from 'node:buffer'
import { randomInt, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pace } from '../../pace.ts'
import { isSameContent, openIfReadable } from './compare-host-file.ts'
import { allowOwner } from './directory-access.ts'
import { closeRead } from './files-in-use.ts'
import { permissions, secondsOf, setAttributes, writeHostFile } from './write-host-file.ts'
import type { OpenStores } from './open-stores-below.ts'
import type { TargetDirectory } from './target-directory.ts'
import type { HostAttributes } from './write-host-file.ts'
import type { Time } from '../../codec/index.ts'
import type { AbortOptions } from '../../options.ts'

/** What may become of what is there already. */
export interface Policy {
  /** How files that are there are told from those to be written; undefined where nothing may be replaced */
  readonly update: 'content' | 'time' | undefined
  /** Whether what is in the way of something of another kind is removed */
  readonly isMirror: boolean
  /** Those that must stay as they are, where there are any below the target */
  readonly stores: OpenStores
  /** Aborts what is being removed */
  readonly signal?: AbortSignal
}

/** Where something is to be put. */
export interface TargetName {
  readonly directory: TargetDirectory
  readonly name: string
}

export interface FileToPlace {
  readonly size: number
  /** The time that is recorded, whether or not it is to be set */
  readonly mtime: Time | undefined
  content(): AsyncIterable<Uint8Array>
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
// of as many letters nobody has another one
const longestShortName = 20
const shortNameTries = 200
// times are set to about a microsecond
const timeToleranceNs = 2_000n

/**
 * Puts a file where there is none or, where the policy allows it, in the place of one that differs; returns whether it had
 * to. One that is replaced is whole at any time, and other names that it has, wherever they are, keep what they stand for.
 *
 * @throws {Error} what `node:fs` throws, EEXIST where something is in the way, and whatever the content throws
 */
export async function placeFile ({ directory, name }: TargetName, file: FileToPlace, attributes: HostAttributes, policy: Policy): Promise<boolean> {
  const found = policy.update === undefined ? undefined : lookAt(directory.at(name))

  if (found?.isFile() === true && await isSame(directory.at(name), file, found, policy) && adjust(directory.at(name), found, attributes)) {
    return false
  }

  if (isReplaceable(found, policy)) {
    await replace({ directory, name }, found, policy, async temporary => writeHostFile(directory, temporary, file.content(), inPlaceOf(found, attributes)))
  } else {
    await writeHostFile(directory, name, file.content(), attributes)
  }

  return true
}

/** Who may read a file is left as it is where the tree does not say it. */
function inPlaceOf (found: fs.BigIntStats, { mode, mtime }: HostAttributes): HostAttributes {
  return { mode: mode ?? (found.isFile() ? Number(found.mode) : undefined), mtime }
}

async function isSame (hostPath: string, { size, mtime, content }: FileToPlace, found: fs.BigIntStats, { update }: Policy): Promise<boolean> {
  if (found.size !== BigInt(size)) {
    return false
  }

  return (update === 'time' && mtime !== undefined && isTime(found, mtime)) || isSameContent(hostPath, content())
}

function isTime ({ mtimeNs }: fs.BigIntStats, [seconds, nanoseconds]: Time): boolean {
  const difference = mtimeNs - (BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds))

  return -timeToleranceNs < difference && difference < timeToleranceNs
}

/**
 * Gives a file the attributes that it does not have, and returns whether it has them all. One with other names keeps its own,
 * since those would change with it, and so does one that may not be opened; a link that has taken its place is not followed.
 */
function adjust (hostPath: string, found: fs.BigIntStats, attributes: HostAttributes): boolean {
  const { mode, mtime } = missing(found, attributes)

  if (mode === undefined && mtime === undefined) {
    return true
  }

  const descriptor = found.nlink > 1n ? undefined : openIfReadable(hostPath)

  if (descriptor === undefined) {
    return false
  }

  try {
    setAttributes(descriptor, { mode, mtime }, hostPath)

    return true
  } finally {
    closeRead(descriptor, hostPath, { isRead: false })
  }
}

/** The attributes that a file does not have. */
function missing (found: fs.BigIntStats, { mode, mtime }: HostAttributes): HostAttributes {
  return {
    mode: mode !== undefined && (Number(found.mode) & 0o7777) !== permissions(mode) ? mode : undefined,
    mtime: mtime !== undefined && !isTime(found, mtime) ? mtime : undefined
  }
}

/**
 * Makes a symbolic link, as `placeFile` makes a file.
 *
 * @throws {Error} what `node:fs` throws, EEXIST where something is in the way
 */
export async function placeLink ({ directory, name }: TargetName, target: string, mtime: Time | undefined, policy: Policy): Promise<void> {
  const hostPath = directory.at(name)
  const found = policy.update === undefined ? undefined : lookAt(hostPath)

  if (found?.isSymbolicLink() !== true || !fs.readlinkSync(hostPath, 'buffer').equals(Buffer.from(target))) {
    if (isReplaceable(found, policy)) {
      await replace({ directory, name }, found, policy, async temporary => { fs.symlinkSync(target, directory.at(temporary)) })
    } else {
      fs.symlinkSync(target, directory.at(name))
    }
  }

  if (mtime !== undefined) {
    fs.lutimesSync(directory.at(name), secondsOf(mtime), secondsOf(mtime))
  }
}

/**
 * Makes a directory, or finds one, and returns whether it made it; a link in its place is not followed.
 *
 * @throws {Error} what `node:fs` throws, EEXIST where something is in the way
 */
export async function placeDirectory ({ directory, name }: TargetName, mode: number | undefined, policy: Policy): Promise<boolean> {
  const found = lookAt(directory.at(name))

  if (found?.isDirectory() === true) {
    return false
  }

  if (found !== undefined && policy.isMirror) {
    await removeUnlessOpen(directory, Buffer.from(name), policy)
  }

  fs.mkdirSync(directory.at(name), modeToFill(mode))

  return true
}

/** The permission bits with which a directory is made that gets others once it is filled. */
export function modeToFill (mode: number | undefined): number | undefined {
  return mode === undefined ? undefined : 0o700
}

/** Whether something is there that a file or link may take the place of; else making one there fails. */
function isReplaceable (found: fs.BigIntStats | undefined, { isMirror }: Policy): found is fs.BigIntStats {
  return found !== undefined && (isMirror || found.isFile() || found.isSymbolicLink())
}

/** Makes something beside what is there and puts it in its place: what is there stays until that could be made. */
async function replace (place: TargetName, found: fs.BigIntStats, policy: Policy, make: (temporary: string) => Promise<void>): Promise<void> {
  const { directory, name } = place
  const temporary = await makeBeside(place, make)

  try {
    if (found.isDirectory()) {
      await removeUnlessOpen(directory, Buffer.from(name), policy)
    }

    fs.renameSync(directory.at(temporary), directory.at(name))
  } catch (err) {
    directory.discard(temporary)
    throw err
  }
}

/** Makes something under a name that is free, and returns that. Where a path may be no longer than it is, neither is that name. */
async function makeBeside ({ name }: TargetName, make: (temporary: string) => Promise<void>): Promise<string> {
  const temporary = `.dagfs-${randomUUID()}.tmp`

  try {
    await make(temporary)

    return temporary
  } catch (err) {
    if (!hasCode(err, 'ENAMETOOLONG')) {
      throw err
    }
  }

  return makeUnderShortName(Buffer.byteLength(name), make)
}

async function makeUnderShortName (length: number, make: (temporary: string) => Promise<void>, triesLeft = shortNameTries): Promise<string> {
  const temporary = Array.from({ length: Math.min(length, longestShortName) }, () => letters[randomInt(letters.length)]).join('')

  try {
    await make(temporary)

    return temporary
  } catch (err) {
    // there are few names of one byte, and some may be taken
    if (triesLeft === 0 || !hasCode(err, 'EEXIST')) {
      throw err
    }

    return makeUnderShortName(length, make, triesLeft - 1)
  }
}

function hasCode (err: unknown, code: string): boolean {
  return err instanceof Error && 'code' in err && err.code === code
}

/** Removes all that is in a directory but for some names. */
export async function removeOthers (directory: TargetDirectory, isKept: (name: string) => boolean, policy: Policy): Promise<void> {
  for (const bytes of fs.readdirSync(directory.self(), 'buffer')) {
    // one that is not UTF-8 is no name of a tree
    if (!isUtf8(bytes) || !isKept(bytes.toString())) {
      await removeUnlessOpen(directory, bytes, policy)
    }
  }
}

/** An open store is found before anything is removed that it is beside of. */
async function removeUnlessOpen (directory: TargetDirectory, name: Buffer, { stores, signal }: Policy): Promise<void> {
  stores.checkRemoved(path.join(directory.hostPath, name.toString()))
  await remove(directory, name, { signal })
}

/** Removes what stands there, with turns in between: it may be a tree of any size. Links are not followed. */
async function remove (directory: TargetDirectory, name: Buffer, options: AbortOptions): Promise<void> {
  await pace(options)

  if (!fs.lstatSync(directory.bytesAt(name)).isDirectory()) {
    fs.unlinkSync(directory.bytesAt(name))
    return
  }

  const inner = directory.open(name)

  try {
    allowOwner(inner)

    for (const below of fs.readdirSync(inner.self(), 'buffer')) {
      await remove(inner, below, options)
    }

    inner.check()
  } catch (err) {
    throw inner.named(err)
  } finally {
    inner.close()
  }

  fs.rmdirSync(directory.bytesAt(name))
}

function lookAt (hostPath: string): fs.BigIntStats | undefined {
  return fs.lstatSync(hostPath, { bigint: true, throwIfNoEntry: false })
}
