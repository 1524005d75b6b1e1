import { readSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenSource, Place, Source } from './source.ts'
import type { FileHandle } from 'node:fs/promises'

/**
 * About as long as a record, as in the published measurements
 */
const PIECE_BYTES = 1024
/**
 * Up to this much is read without the thread pool, as the pack store does: from
 * the system's cache, a read takes less time than handing it over
 */
const SYNCHRONOUS_BYTES = 65_536

/**
 * The files of the pack store, as reads bring them.
 */
export const file: Source = sourceOf((bytes, take) => { take(bytes) })

/**
 * The files of the pack store, cut up into pieces as long as records are.
 */
export const blocks: Source = sourceOf((bytes, take) => {
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    take(bytes.subarray(start, start + PIECE_BYTES))
  }
})

type Cut = (bytes: Uint8Array, take: (piece: Uint8Array) => void) => void

function sourceOf (cut: Cut): Source {
  return {
    holds: 'files',
    version: async () => `Node.js ${process.version}`,
    open: async place => openFiles(place, cut)
  }
}

async function openFiles ({ store, readBytes }: Place, cut: Cut): Promise<OpenSource> {
  const segments = (await readdir(store)).filter(name => name.endsWith('.car')).sort()
  const handles: FileHandle[] = []

  for (const name of segments) {
    handles.push(await open(join(store, name)))
  }

  return {
    async scan (take) {
      const buffer = new Uint8Array(readBytes)

      for (const handle of handles) {
        let position = 0

        for (let count = await read(handle, buffer, 0); count > 0; count = await read(handle, buffer, position)) {
          cut(buffer.subarray(0, count), take)
          position += count
        }
      }
    },
    async close () {
      await Promise.all(handles.map(async handle => handle.close()))
    }
  }
}

async function read (handle: FileHandle, buffer: Uint8Array, position: number): Promise<number> {
  if (buffer.byteLength <= SYNCHRONOUS_BYTES) {
    return readSync(handle.fd, buffer, 0, buffer.byteLength, position)
  }

  const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, position)

  return bytesRead
}
