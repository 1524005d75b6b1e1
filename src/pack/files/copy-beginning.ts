import { pace } from '../../pace.ts'
import type { Files, OpenFile } from './files.ts'

const pieceBytes = 2 ** 22
const readAtOnceBytes = 2 ** 16

/**
 * Copies the beginning of a file into a new one, which is on the disk then. What is copied is written anew, so that a sync that
 * failed before leaves nothing out: reads find such bytes, though the disk never got them.
 *
 * @param files - where the copy is made
 * @param file - what is copied
 * @param length - how much of it
 * @param to - the path of the copy, where nothing is
 */
export async function copyBeginning (files: Files, file: OpenFile, length: number, to: string): Promise<void> {
  const copy = await files.open(to, 'create')

  try {
    await writeAgain(file, copy, length)
    await copy.sync()
  } finally {
    await copy.close()
  }
}

/** Writes the beginning of one file into another, or into its own place again. */
export async function writeAgain (from: OpenFile, to: OpenFile, length: number): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, length))

  for (let at = 0; at < length; at += pieceBytes) {
    await pace()
    const piece = buffer.subarray(0, Math.min(pieceBytes, length - at))
    // most often it is little, which is read in less time than it takes to wait for it
    const count = piece.byteLength <= readAtOnceBytes ? from.readNow(piece, at) : await from.read(piece, at)
    await to.write(piece.subarray(0, count), at)
  }
}
