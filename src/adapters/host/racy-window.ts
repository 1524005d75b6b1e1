import fs from 'node:fs'
import type { HostStat } from './read-host-file.ts'
import type { TimeSample } from './sample-time.ts'

/** For how long a change may go unseen, unless an option says otherwise. */
export const defaultRacyWindowMs = 30_000

// the coarsest timestamps of common filesystems, those of FAT
const leastMs = 2_000
// a file is written by calls of at most 2 GiB, each of which may set the times before it has written anything
const maxWriteBytes = 2n ** 31n
// 4 MiB a second with the default
const bytesInWindow = 2n ** 27n
const msInNs = 1_000_000n
// no clock is so far ahead of another
const farNs = 86_400_000n * msInNs

// what `linux/magic.h` and the drivers themselves call filesystems whose times can be those of another machine
const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x564c, 0x5346414f, 0x6b414653, 0x73757245, 0x00c36400, 0x01021997, 0x65735546,
  0x7461636f, 0x01161970, 0x0bd00bd0, 0x47504653, 0x19830326, 0x20030528, 0x786f4256, 0xbacbacbc, 0x7c7c6673
])

/** Where something stands: the device and the directory. */
export interface HostPlace {
  readonly dev: bigint | undefined
  readonly directory: string
}

/**
 * Tells whether a file could have changed after it was read without its times saying so: they are coarse, and Linux sets them
 * when a write begins, not when it ends. What changed within the window before an import began to read is racy, as git calls it.
 *
 * Times are compared with the clock that set them. Where that is not known, as on a file server, nothing is compared: a file is
 * racy until an import finds it as another one saw it that long before.
 */
export class RacyWindow {
  readonly #windowNs: bigint
  readonly #takeSample: () => TimeSample | undefined
  readonly #times = new Map<bigint | undefined, bigint | undefined>()
  #began: { readonly ms: number, readonly sample: TimeSample | undefined } | undefined

  /**
   * @param windowMs - its length in milliseconds; less than two seconds count as two
   * @param takeSample - asks a filesystem for its time, where that can be done
   */
  constructor (windowMs: number, takeSample: () => TimeSample | undefined) {
    this.#windowNs = BigInt(Math.max(leastMs, windowMs)) * msInNs
    this.#takeSample = takeSample
  }

  /** Has to be called before the first file is read; only the first call does anything. */
  begin (): void {
    this.#began ??= { ms: Date.now(), sample: this.#takeSample() }
  }

  /**
   * Whether a file is racy; `seenMs` is when another import saw it just so, by this machine's clock, if one did.
   */
  isRacy ({ size, mtimeNs, ctimeNs }: Omit<HostStat, 'mode' | 'ino'>, place: HostPlace, seenMs: number | undefined): boolean {
    this.begin()
    const windowNs = this.#windowNs + this.#windowNs * (size < maxWriteBytes ? size : maxWriteBytes) / bytesInWindow
    const now = this.#timeAt(place)

    if (now === undefined) {
      return seenMs === undefined || BigInt(this.#beganMs - seenMs) * msInNs <= windowNs
    }

    const recent = now - windowNs

    // a change would not leave a time far in the future as it is
    return ctimeNs >= recent || (mtimeNs >= recent && mtimeNs < now + farNs)
  }

  get #beganMs (): number {
    return this.#began?.ms ?? Date.now()
  }

  /** The time of a filesystem when reading began, or undefined where its clock is not known. */
  #timeAt ({ dev, directory }: HostPlace): bigint | undefined {
    if (!this.#times.has(dev)) {
      this.#times.set(dev, this.#findTime(dev, directory))
    }

    return this.#times.get(dev)
  }

  #findTime (dev: bigint | undefined, directory: string): bigint | undefined {
    const sample = this.#began?.sample

    if (dev !== undefined && sample?.dev === dev) {
      return sample.timeNs
    }

    if (isRemote(directory)) {
      return
    }

    // those of this machine have one clock
    return sample === undefined || isRemote(sample.directory) ? BigInt(this.#beganMs) * msInNs : sample.timeNs
  }
}

/** Whether a filesystem may have the clock of another machine; where the system does not tell, it has not. */
function isRemote (directory: string): boolean {
  try {
    return process.platform === 'linux' && remoteTypes.has(Number(BigInt.asUintN(32, BigInt(fs.statfsSync(directory).type))))
  } catch {
    // it is gone, and so is what was read in it
    return false
  }
}
