import { hash } from 'node:crypto'
import { closeSync, createReadStream, fdatasyncSync, fstatSync, openSync, readSync, readdirSync, readlinkSync, rmSync, writeSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ownPeakMemory } from './own-memory.ts'
import type { OpenContender, StoredEntry } from './contender.ts'

/**
 * As much is written at once, and hashed at once of a file that is larger
 */
const BUFFER_BYTES = 4 * 2 ** 20

/**
 * Where an entry's bytes went
 */
type Written =
  | { readonly path: string, readonly kind: 'file', readonly start: number, readonly bytes: number }
  | { readonly path: string, readonly kind: 'directory' }
  | { readonly path: string, readonly kind: 'link', readonly target: string }

/**
 * The least that any program has to do with a directory: walk it, read, hash
 * and write every byte once, one file behind the other into one file, and sync
 * that once. All in one thread and without a promise, since nothing is faster
 * for small files.
 */
export async function openFloor (directory: string): Promise<OpenContender> {
  const target = join(directory, 'bytes')
  let last: readonly Written[] = []

  return {
    version: `Node ${process.versions.node}`,
    options: { store: 'one file, one write of 4 MiB behind the other, one fdatasync', hash: 'sha2-256 of every file' },

    async add (source) {
      last = copyInto(target, source)

      return { cid: null, durable: true }
    },
    async empty () {
      rmSync(target, { force: true })

      const left = await readdir(directory)

      if (left.length > 0) {
        throw new Error(`the store is not empty, it holds ${left.join(', ')}`)
      }
    },
    readLast: () => readBack(target, last),
    peakMemory: ownPeakMemory,
    close: async () => { rmSync(target, { force: true }) }
  }
}

function copyInto (target: string, source: string): readonly Written[] {
  const written: Written[] = []
  const sink = new OneFile(target)

  try {
    walk(source, '', sink, written)
    sink.finish()
  } finally {
    sink.close()
  }

  return written
}

function walk (directory: string, parent: string, sink: OneFile, written: Written[]): void {
  for (const dirent of readdirSync(directory, { withFileTypes: true })) {
    const [hostPath, path] = [`${directory}/${dirent.name}`, `${parent}${dirent.name}`]

    if (dirent.isDirectory()) {
      written.push({ path, kind: 'directory' })
      walk(hostPath, `${path}/`, sink, written)
    } else if (dirent.isSymbolicLink()) {
      written.push({ path, kind: 'link', target: readlinkSync(hostPath) })
    } else {
      const start = sink.length
      sink.copy(hostPath)
      written.push({ path, kind: 'file', start, bytes: sink.length - start })
    }
  }
}

/**
 * Files are read to where they are written from
 */
class OneFile {
  readonly #target: number
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  #filled = 0
  #written = 0

  constructor (path: string) {
    this.#target = openSync(path, 'w')
  }

  get length (): number {
    return this.#written + this.#filled
  }

  copy (path: string): void {
    const file = openSync(path, 'r')

    try {
      let left = fstatSync(file).size

      if (left > BUFFER_BYTES - this.#filled) {
        this.#flush()
      }

      while (left > 0) {
        left -= this.#take(file, path, Math.min(left, BUFFER_BYTES - this.#filled))
      }
    } finally {
      closeSync(file)
    }
  }

  /**
   * Syncs all that was copied.
   */
  finish (): void {
    this.#flush()
    fdatasyncSync(this.#target)
  }

  close (): void {
    closeSync(this.#target)
  }

  #take (file: number, path: string, bytes: number): number {
    const count = readSync(file, this.#buffer, this.#filled, bytes, null)

    if (count === 0) {
      throw new Error(`${path} became shorter while it was read`)
    }

    hash('sha256', this.#buffer.subarray(this.#filled, this.#filled + count), 'buffer')
    this.#filled += count

    if (this.#filled === BUFFER_BYTES) {
      this.#flush()
    }

    return count
  }

  #flush (): void {
    let offset = 0

    while (offset < this.#filled) {
      offset += writeSync(this.#target, this.#buffer, offset, this.#filled - offset)
    }

    this.#written += this.#filled
    this.#filled = 0
  }
}

async function * readBack (target: string, written: readonly Written[]): AsyncGenerator<StoredEntry> {
  for (const entry of written) {
    yield entry.kind === 'file' ? { path: entry.path, kind: 'file', content: () => bytesOf(target, entry) } : entry
  }
}

async function * bytesOf (target: string, { start, bytes }: { readonly start: number, readonly bytes: number }): AsyncGenerator<Uint8Array> {
  if (bytes > 0) {
    yield * createReadStream(target, { start, end: start + bytes - 1 })
  }
}
