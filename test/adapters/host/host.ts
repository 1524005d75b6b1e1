import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { RacyWindow } from '../../../src/adapters/host/racy-window.ts'
import { dagfs } from '../../../src/index.ts'
import { mountDisk } from '../../mount-disk.ts'
import type { DagFs, EntryInfo } from '../../../src/index.ts'

/** A host directory for one test. */
export function temporaryDirectory (parent = tmpdir()): { path: string, remove(): void } {
  const path = mkdtempSync(join(parent, 'dagfs-host-'))

  return {
    path,
    remove () {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

export function memoryFs (): DagFs {
  return dagfs({ blockstore: new MemoryBlockstore() })
}

export async function walked (fs: Pick<DagFs, 'walk'>, path?: string): Promise<EntryInfo[]> {
  return all(fs.walk(path))
}

export async function paths (fs: Pick<DagFs, 'walk'>, path?: string): Promise<string[]> {
  return (await walked(fs, path)).map(entry => entry.path)
}

/**
 * Mounts a disk of 1 MiB, which needs root; others get a directory whose files cannot be written to beyond that.
 */
export function smallDisk (path: string, fs: typeof import('node:fs')): () => void {
  fs.mkdirSync(path)

  return mountDisk(path, '1m') ?? failingWrites(fs)
}

function failingWrites (fs: typeof import('node:fs')): () => void {
  const { writeSync } = fs
  const { writeFile } = fs.promises
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  let left = 2 ** 20

  fs.writeSync = (descriptor: number, ...parameters: unknown[]) => {
    const written: number = Reflect.apply(writeSync, fs, [descriptor, ...parameters])
    left -= written

    if (left < 0) {
      throw error
    }

    return written
  }

  fs.promises.writeFile = async (...parameters) => {
    left -= parameters[1] instanceof Uint8Array ? parameters[1].byteLength : 0

    if (left < 0) {
      throw error
    }

    return writeFile(...parameters)
  }
  syncBuiltinESMExports()

  return () => {
    fs.writeSync = writeSync
    fs.promises.writeFile = writeFile
    syncBuiltinESMExports()
  }
}

/** The descriptors that this process has open. */
export function openDescriptors (fs: typeof import('node:fs')): number {
  return fs.readdirSync('/proc/self/fd').length
}

/** A signal that is aborted in the n-th turn of the event loop from now. */
export function abortedInTurn (n: number): AbortSignal {
  const controller = new AbortController()
  let turns = 0
  const count = (): void => {
    turns++

    if (turns === n) {
      controller.abort(new Error('enough'))
    } else {
      setImmediate(count)
    }
  }
  setImmediate(count)

  return controller.signal
}

/** Imports as if what is on the disk had been there for an hour. */
export async function inAnHour <T> (work: () => Promise<T>): Promise<T> {
  const { isRacy } = RacyWindow.prototype
  const hourNs = 3_600_000_000_000n
  RacyWindow.prototype.isRacy = function ({ size, mtimeNs, ctimeNs }, ...parameters) {
    return isRacy.call(this, { size, mtimeNs: mtimeNs - hourNs, ctimeNs: ctimeNs - hourNs }, ...parameters)
  }

  try {
    return await work()
  } finally {
    RacyWindow.prototype.isRacy = isRacy
  }
}

/** Opens no directory to hold it, as on a host where that cannot be done; whoever calls it puts `openSync` back. */
export function holdNone (fs: typeof import('node:fs')): void {
  const { openSync } = fs
  fs.openSync = (...parameters) => {
    if ((Number(parameters[1]) & fs.constants.O_DIRECTORY) !== 0) {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    }

    return openSync(...parameters)
  }
}
