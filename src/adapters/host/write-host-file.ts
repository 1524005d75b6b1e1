import fs from 'node:fs'
import { promisify } from 'node:util'
import { withPath } from './read-host-file.ts'
import { thenClose } from './then-close.ts'
import type { TargetDirectory } from './target-directory.ts'
import type { Time } from '../../codec/index.ts'

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = fs.constants
const createFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
const writeAsync = promisify(fs.write)

// larger pieces are written by the thread pool, so that they do not hold up the event loop
const writeAtOnceBytes = 2 ** 18

/** Metadata to set on what was written; undefined parts stay as the host made them. */
export interface HostAttributes {
  readonly mode: number | undefined
  readonly mtime: Time | undefined
}

/**
 * Creates a host file; one that is there is never written to. Where it cannot be written in full, it is removed again.
 *
 * @throws {Error} what `node:fs` throws, and whatever the content throws
 */
export async function writeHostFile (directory: TargetDirectory, name: string, content: AsyncIterable<Uint8Array>, attributes: HostAttributes): Promise<void> {
  const hostPath = directory.at(name)
  const { mode } = attributes
  // what is not for everybody must not be readable while it is written, nor what is left of it
  const descriptor = fs.openSync(hostPath, createFlags, mode === undefined ? 0o666 : mode & 0o600)

  try {
    await thenClose({ descriptor, hostPath }, async () => {
      for await (const piece of content) {
        await writeAll(descriptor, piece, hostPath)
      }

      setAttributes(descriptor, attributes, hostPath)
    })
  } catch (err) {
    directory.discard(name)
    throw err
  }
}

async function writeAll (descriptor: number, bytes: Uint8Array, hostPath: string): Promise<void> {
  let offset = 0

  try {
    while (offset < bytes.byteLength) {
      const left = bytes.byteLength - offset
      offset += left > writeAtOnceBytes
        ? (await writeAsync(descriptor, bytes, offset, left, null)).bytesWritten
        : fs.writeSync(descriptor, bytes, offset, left, null)
    }
  } catch (err) {
    throw withPath(err, hostPath)
  }
}

/** Gives an open file the attributes that are defined. */
export function setAttributes (descriptor: number, { mode, mtime }: HostAttributes, hostPath: string): void {
  try {
    if (mode !== undefined) {
      fs.fchmodSync(descriptor, permissions(mode))
    }

    if (mtime !== undefined) {
      fs.futimesSync(descriptor, secondsOf(mtime), secondsOf(mtime))
    }
  } catch (err) {
    throw withPath(err, hostPath)
  }
}

/** setuid, setgid and sticky are another host's decisions. */
export function permissions (mode: number): number {
  return mode & 0o777
}

/** Seconds as node takes them: a number below zero it replaces by the present, a string it takes as it is. It keeps about microseconds. */
export function secondsOf ([seconds, nanoseconds]: Time): string {
  return String(seconds + nanoseconds / 1e9)
}
