import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import path from 'node:path'
import { StoreStateError, UnsupportedVersionError } from '../../errors.ts'
import { isDiskFull, isErrorCode } from '../files/error-code.ts'
import { unlessMissing } from '../files/unless-missing.ts'
import { idBytes } from './record.ts'
import type { Files, OpenFile } from '../files/files.ts'

/** Whose directory it is, and who opened it for writing last */
export interface StoreFile {
  readonly store: Uint8Array
  /** Counts the writers that opened the store */
  readonly epoch: number
  /** False once that writer closed the store: it writes nothing any more */
  readonly isOpen: boolean
}

const storeName = 'store'
const version = 1
const fixedBytes = 1024
const maxBytes = 4096

/**
 * Reads the file `store` of a pack store's directory.
 *
 * @returns undefined where there is none, or one that says nothing, as a store of release 0.1.0 has none
 * @throws {UnsupportedVersionError} where it is of a newer version
 */
export async function readStoreFile (files: Files, directory: string): Promise<StoreFile | undefined> {
  const bytes = await contentOf(files, path.join(directory, storeName))
  const fields = bytes === undefined ? undefined : parse(bytes)

  if (typeof fields?.['dagfs-store'] === 'number' && fields['dagfs-store'] > version) {
    throw new UnsupportedVersionError(`the pack store has version ${fields['dagfs-store']}, this release knows version ${version}`)
  }

  const { store, epoch, open } = fields ?? {}
  const isValid = typeof store === 'string' && /^[0-9a-f]{32}$/.test(store) && Number.isSafeInteger(epoch) && typeof open === 'boolean'

  return isValid ? { store: Buffer.from(store, 'hex').subarray(0, idBytes), epoch: Number(epoch), isOpen: open } : undefined
}

/**
 * A writer's claim to a store: the file `store`, which the next writer replaces. A system's lock can end while its owner lives,
 * as when the process closes another descriptor of the lock's file. A claim that was replaced ends its owner's writing.
 */
export class Claim {
  readonly #directory: string
  readonly #path: string
  readonly #next: Omit<StoreFile, 'isOpen'>
  readonly #bytes: Uint8Array
  readonly #file: OpenFile
  #state: string

  private constructor (directory: string, next: Omit<StoreFile, 'isOpen'>, bytes: Uint8Array, file: OpenFile) {
    this.#directory = directory
    this.#next = next
    this.#bytes = bytes
    this.#file = file
    this.#path = path.join(directory, storeName)
    this.#state = file.state()
  }

  /**
   * Replaces the file `store`. Whoever had the store open writes nothing from here on that counts.
   *
   * @param files - the store's files
   * @param directory - its directory
   * @param store - its id
   * @param before - what the file says so far, if anything
   */
  static async take (files: Files, directory: string, store: Uint8Array, before: StoreFile | undefined): Promise<Claim> {
    const next = { store, epoch: (before?.epoch ?? 0) + 1 }
    const bytes = encode({ ...next, isOpen: true })
    // whose directory it is has to be on the disk once; who opened it last matters to those who live
    const file = await replace(files, directory, bytes, before === undefined)

    try {
      return new Claim(directory, next, bytes, file)
    } catch (err) {
      await file.close()
      throw err
    }
  }

  /** @throws {StoreStateError} where another writer has opened the store, or the file `store` was replaced, removed or changed */
  requireOwn (): void {
    const state = this.#file.isAt(this.#path) ? this.#file.state() : undefined

    // tools change a file's times and links without changing whose it is
    if (state !== undefined && state !== this.#state && this.#hasOwnBytes()) {
      this.#state = state
    }

    if (state === undefined || state !== this.#state) {
      throw new StoreStateError('another process has opened the pack store for writing: nothing more is written here; close it, and open it again', { path: this.#directory })
    }
  }

  /** Says that this writer writes nothing any more. Where another one has replaced the file, nobody sees what is written to it. */
  async release (): Promise<void> {
    this.requireOwn()
    await this.#file.write(encode({ ...this.#next, isOpen: false }), 0)
  }

  async close (): Promise<void> {
    await this.#file.close()
  }

  #hasOwnBytes (): boolean {
    const bytes = new Uint8Array(this.#bytes.byteLength)

    return Buffer.compare(bytes.subarray(0, this.#file.readNow(bytes, 0)), this.#bytes) === 0
  }
}

/** A disk that is full takes no new file, but has room for what is there already: gc() can then free some. */
async function replace (files: Files, directory: string, bytes: Uint8Array, isDurable: boolean): Promise<OpenFile> {
  const name = path.join(directory, storeName)
  // its own for each opening: another process that opens the store at once cannot put a torn one in the place of `store`
  const temporary = path.join(directory, `${storeName}-${randomBytes(4).toString('hex')}.tmp`)

  try {
    return await moveInto(files, { name, temporary, directory }, bytes, isDurable)
  } catch (err) {
    if (isErrorCode(err, 'ENOENT')) {
      throw new StoreStateError('another process is opening the pack store for writing, or its directory was moved: open it again', { path: directory, cause: err })
    }

    if (!isDiskFull(err)) {
      throw err
    }

    await unlessMissing(files.unlink(temporary))

    return writeTo(await files.open(name, 'write'), bytes, false)
  }
}

async function moveInto (files: Files, { name, temporary, directory }: Readonly<Record<'name' | 'temporary' | 'directory', string>>, bytes: Uint8Array, isDurable: boolean): Promise<OpenFile> {
  const file = await writeTo(await files.open(temporary, 'create'), bytes, isDurable)

  try {
    await files.rename(temporary, name)

    if (isDurable) {
      await files.syncDirectory(directory)
    }

    return file
  } catch (err) {
    await file.close()
    throw err
  }
}

async function writeTo (file: OpenFile, bytes: Uint8Array, isDurable: boolean): Promise<OpenFile> {
  try {
    await file.write(bytes, 0)

    if (isDurable) {
      await file.sync()
    }

    return file
  } catch (err) {
    await file.close()
    throw err
  }
}

function encode ({ store, epoch, isOpen }: StoreFile): Uint8Array {
  const owner = { pid: process.pid, host: hostname(), command: path.basename(process.argv[1] ?? '').slice(0, 100) }

  const text = JSON.stringify({ 'dagfs-store': version, store: Buffer.from(store).toString('hex'), epoch, open: isOpen, ...owner })

  // always of one length, so that it can be written in the place of another
  return Buffer.from(text).byteLength < fixedBytes ? Buffer.from(`${text}${' '.repeat(fixedBytes - 1 - Buffer.from(text).byteLength)}\n`) : Buffer.from(`${text}\n`)
}

function parse (bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())

    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // torn by a power cut, or somebody else's: it says nothing
    return undefined
  }
}

async function contentOf (files: Files, name: string): Promise<Uint8Array | undefined> {
  let file: OpenFile

  try {
    file = await files.open(name, 'read')
  } catch (err) {
    if (isErrorCode(err, 'ENOENT')) {
      return
    }

    throw err
  }

  try {
    const bytes = new Uint8Array(maxBytes)

    return bytes.subarray(0, file.readNow(bytes, 0))
  } finally {
    await file.close()
  }
}
