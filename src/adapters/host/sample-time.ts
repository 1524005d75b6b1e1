import fs from 'node:fs'
import path from 'node:path'
import { removeUnfinished } from './remove-unfinished.ts'

/** The time that a filesystem gave to something that was written to it. */
export interface TimeSample {
  readonly dev: bigint
  readonly timeNs: bigint
  /** A directory of that filesystem */
  readonly directory: string
}

/** Has a filesystem give its time to a file of ours, whose first byte is written once more; undefined where that cannot be done. */
export function sampleTime (file: string): TimeSample | undefined {
  return sample(file, 'r+', descriptor => {
    const first = Buffer.alloc(1)

    return fs.readSync(descriptor, first, 0, 1, 0) === 1 && fs.writeSync(descriptor, first, 0, 1, 0) === 1
  })
}

/** The same by a file that is made and removed again. */
export function sampleTimeOfNew (temporary: string): TimeSample | undefined {
  try {
    return sample(temporary, 'wx', descriptor => fs.writeSync(descriptor, 'x') === 1)
  } finally {
    removeUnfinished(temporary)
  }
}

function sample (file: string, flags: 'r+' | 'wx', write: (descriptor: number) => boolean): TimeSample | undefined {
  let descriptor: number | undefined

  try {
    descriptor = fs.openSync(file, flags, 0o600)
    const isWritten = write(descriptor)
    // not every filesystem has others
    const { dev, mtimeNs } = fs.fstatSync(descriptor, { bigint: true })

    return isWritten ? { dev, timeNs: mtimeNs, directory: path.dirname(file) } : undefined
  } catch {
    // whoever has more to write there will say why that cannot be done
    return undefined
  } finally {
    if (descriptor !== undefined) {
      fs.closeSync(descriptor)
    }
  }
}
