import { keystream } from '../../../corpora/keystream.ts'
import type { SourceFile } from '../../../trees/tree.ts'

const FIRST_TIME = Date.UTC(2021, 11, 1)
const MODE = 0o644

const made = new Map<string, Uint8Array>()

/**
 * A file whose bytes, drawn from a seed, nobody else holds, with a time of its own.
 */
export function sourceFile (path: string, fileBytes: number, seed: string, number = 0): SourceFile {
  return {
    path,
    bytes: bytesOf(seed, fileBytes).slice(),
    attributes: { mode: MODE, mtime: new Date(FIRST_TIME + number * 1_000) }
  }
}

/**
 * The bytes of a seed, which are not to be written to
 */
export function bytesOf (seed: string, fileBytes: number): Uint8Array {
  const key = `${seed}/${fileBytes}`
  const bytes = made.get(key) ?? Buffer.concat([...keystream(`headers/${seed}`, fileBytes)])

  made.set(key, bytes)

  return bytes
}

/**
 * Compares what was read with what was written.
 */
export function assertSame (path: string, actual: Uint8Array, seed: string, fileBytes: number): void {
  if (Buffer.compare(actual, bytesOf(seed, fileBytes)) !== 0) {
    throw new Error(`${path} was read with ${actual.byteLength} bytes, and they are not the ${fileBytes} that it was written with`)
  }
}
