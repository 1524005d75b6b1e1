import { hostFiles } from '../../src/pack/files/files.ts'
import type { Files, OpenFile } from '../../src/pack/files/files.ts'

/** The host's files, whose reads of one length or whose syncs wait. */
export class HeldFiles implements Files {
  readonly list = hostFiles.list
  readonly makeDirectory = hostFiles.makeDirectory
  readonly rename = hostFiles.rename
  readonly unlink = hostFiles.unlink
  readonly syncDirectory = hostFiles.syncDirectory
  readonly lock = hostFiles.lock
  /** Settles when something waits */
  reached: Promise<void> = Promise.resolve()
  #length: number | undefined
  #isSync = false
  #held: Promise<void> = Promise.resolve()
  #say = (): void => {}

  holdReads (length: number): () => void {
    this.#length = length

    return this.#hold()
  }

  holdSyncs (): () => void {
    this.#isSync = true

    return this.#hold()
  }

  async open (path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile> {
    const file = await hostFiles.open(path, mode)

    return {
      read: async (bytes, position) => {
        await this.#wait(bytes.byteLength === this.#length)

        return file.read(bytes, position)
      },
      readNow: (bytes, position) => file.readNow(bytes, position),
      write: async (bytes, position) => file.write(bytes, position),
      size: async () => file.size(),
      isAt: path => file.isAt(path),
      state: () => file.state(),
      truncate: async length => file.truncate(length),
      sync: async () => {
        await this.#wait(this.#isSync)
        await file.sync()
      },
      close: async () => file.close()
    }
  }

  #hold (): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    this.reached = new Promise(resolve => { this.#say = resolve })

    return () => {
      this.#length = undefined
      this.#isSync = false
      resolve()
    }
  }

  async #wait (isHeld: boolean): Promise<void> {
    if (isHeld) {
      this.#say()
      await this.#held
    }
  }
}
