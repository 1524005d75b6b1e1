import { setImmediate } from 'node:timers/promises'
import type { Files, OpenFile } from '../../src/pack/files/files.ts'

/**
 * Files whose operations wait for some turns of the event loop, before they happen and before they are answered: what goes on at
 * once comes in another order for other numbers.
 */
export class WaitingFiles implements Files {
  readonly lock: Files['lock']
  readonly #files: Files
  readonly #turns: () => number

  /**
   * @param files - what the operations happen on
   * @param turns - how many turns to wait for
   */
  constructor (files: Files, turns: () => number) {
    this.lock = path => files.lock(path)
    this.#files = files
    this.#turns = turns
  }

  async open (path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile> {
    const file = await this.#during(async () => this.#files.open(path, mode))

    return {
      descriptor: file.descriptor,
      read: async (bytes, position) => this.#during(async () => file.read(bytes, position)),
      readNow: (bytes, position) => file.readNow(bytes, position),
      write: async (bytes, position) => this.#during(async () => file.write(bytes, position)),
      size: async () => this.#during(async () => file.size()),
      isAt: path => file.isAt(path),
      state: () => file.state(),
      truncate: async length => this.#during(async () => file.truncate(length)),
      sync: async () => this.#during(async () => file.sync()),
      close: async () => file.close()
    }
  }

  async list (directory: string): Promise<string[]> {
    return this.#during(async () => this.#files.list(directory))
  }

  async makeDirectory (directory: string): Promise<void> {
    await this.#during(async () => this.#files.makeDirectory(directory))
  }

  async rename (from: string, to: string): Promise<void> {
    await this.#during(async () => this.#files.rename(from, to))
  }

  async unlink (path: string): Promise<void> {
    await this.#during(async () => this.#files.unlink(path))
  }

  async syncDirectory (directory: string): Promise<void> {
    await this.#during(async () => this.#files.syncDirectory(directory))
  }

  async #during <T> (act: () => Promise<T>): Promise<T> {
    await this.#wait()
    const result = await act()
    await this.#wait()

    return result
  }

  async #wait (): Promise<void> {
    for (let turns = this.#turns(); turns > 0; turns--) {
      await setImmediate()
    }
  }
}
