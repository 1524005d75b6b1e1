import { hostFiles } from '../../src/pack/files/files.ts'
import type { Files, OpenFile } from '../../src/pack/files/files.ts'

/** When the process goes: before an operation, after it, or when half of what it writes is written */
export type Moment = 'before' | 'after' | 'within'

export const moments: readonly Moment[] = ['before', 'after', 'within']

/**
 * The host's files, for a process that kills itself at one operation on them. The signal is the one that no program can
 * answer, so that nothing is put right on the way out.
 */
export class KillingFiles implements Files {
  operations = 0
  readonly #at: number
  readonly #moment: Moment

  constructor (at = Number.POSITIVE_INFINITY, moment: Moment = 'before') {
    this.#at = at
    this.#moment = moment
  }

  async open (path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile> {
    const file = await this.during(async () => hostFiles.open(path, mode))

    return new KillingFile(this, file)
  }

  async list (directory: string): Promise<string[]> {
    return this.during(async () => hostFiles.list(directory))
  }

  async makeDirectory (directory: string): Promise<void> {
    await this.during(async () => hostFiles.makeDirectory(directory))
  }

  async rename (from: string, to: string): Promise<void> {
    await this.during(async () => hostFiles.rename(from, to))
  }

  async unlink (path: string): Promise<void> {
    await this.during(async () => hostFiles.unlink(path))
  }

  async syncDirectory (directory: string): Promise<void> {
    await this.during(async () => hostFiles.syncDirectory(directory))
  }

  lock (path: string): ReturnType<Files['lock']> {
    return this.duringNow(() => hostFiles.lock(path))
  }

  async during <T> (act: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
    const isTurn = ++this.operations === this.#at
    await this.#dieEarly(isTurn, half)
    const result = await act()
    this.#dieLate(isTurn)

    return result
  }

  duringNow <T> (act: () => T): T {
    const isTurn = ++this.operations === this.#at

    if (isTurn && this.#moment !== 'after') {
      die()
    }

    const result = act()
    this.#dieLate(isTurn)

    return result
  }

  async #dieEarly (isTurn: boolean, half: (() => Promise<unknown>) | undefined): Promise<void> {
    if (!isTurn || this.#moment === 'after') {
      return
    }

    if (this.#moment === 'within') {
      await half?.()
    }

    die()
  }

  #dieLate (isTurn: boolean): void {
    if (isTurn) {
      die()
    }
  }
}

class KillingFile implements OpenFile {
  readonly #files: KillingFiles
  readonly #file: OpenFile

  constructor (files: KillingFiles, file: OpenFile) {
    this.#files = files
    this.#file = file
  }

  async read (bytes: Uint8Array, position: number): Promise<number> {
    return this.#files.during(async () => this.#file.read(bytes, position))
  }

  readNow (bytes: Uint8Array, position: number): number {
    return this.#files.duringNow(() => this.#file.readNow(bytes, position))
  }

  async write (bytes: Uint8Array, position: number): Promise<void> {
    await this.#files.during(async () => this.#file.write(bytes, position), async () => this.#file.write(bytes.subarray(0, bytes.byteLength >> 1), position))
  }

  async size (): Promise<number> {
    return this.#files.during(async () => this.#file.size())
  }

  isAt (path: string): boolean {
    return this.#file.isAt(path)
  }

  state (): string {
    return this.#file.state()
  }

  async truncate (length: number): Promise<void> {
    await this.#files.during(async () => this.#file.truncate(length))
  }

  async sync (): Promise<void> {
    await this.#files.during(async () => this.#file.sync())
  }

  async close (): Promise<void> {
    await this.#files.during(async () => this.#file.close())
  }
}

function die (): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('the process outlived SIGKILL')
}
