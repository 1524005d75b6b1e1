import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { PackBlockstore } from '../../src/pack/index.ts'
import { below } from '../seed.ts'
import { FaultyFiles } from './faulty-files.ts'
import { blocks, putAll, readBlock } from './stores.ts'
import type { TestBlock } from './stores.ts'

const options = { segmentBytes: 6_000, recordAfterMs: 100_000 }
const poolBlocks = 40

/** What a store is at the end of a session */
interface Moment {
  readonly files: FaultyFiles
  readonly model: ReadonlyMap<number, TestBlock>
  readonly indexCopy: string
  /** Whether an earlier log was put back since, and another one written behind that */
  isGivenUp: boolean
}

/** A store, what it should hold, and every index that it has had */
export class IndexHistory {
  readonly #directory: string
  readonly #copies: string
  readonly #next: () => number
  readonly #moments: Moment[] = []
  #files = new FaultyFiles()
  #model = new Map<number, TestBlock>()

  /**
   * @param directory - where the index stands
   * @param copies - where its copies are kept
   * @param next - random numbers from 0 to 1
   */
  constructor (directory: string, copies: string, next: () => number) {
    this.#directory = directory
    this.#copies = copies
    this.#next = next
  }

  /** A session: puts, deletions, syncs, compactions. */
  async work (): Promise<void> {
    const pool = await blocks(poolBlocks, 500)

    await this.#withStore(false, async store => {
      for (let left = 5 + below(this.#next, 30); left > 0; left--) {
        await this.#step(store, pool)
      }
    })
    const indexCopy = join(this.#copies, String(this.#moments.length))
    await mkdir(indexCopy)
    await this.#copyIndex(this.#directory, indexCopy)
    this.#moments.push({ files: this.#files.afterKill(), model: new Map(this.#model), indexCopy, isGivenUp: false })
  }

  /** Puts another index into the place of the last one, or an earlier log under the last index. */
  async exchange (): Promise<void> {
    const earlier = this.#moments[below(this.#next, this.#moments.length)]

    switch (below(this.#next, 7)) {
      case 0:
        return this.#removeIndex()
      case 1:
        return this.#damageIndex(bytes => bytes.subarray(0, below(this.#next, bytes.byteLength)))
      case 2:
        return this.#damageIndex(bytes => {
          const at = 4_096 * below(this.#next, bytes.byteLength / 4_096)

          return bytes.fill(0, at, at + 4_096)
        })
      case 3:
        return this.#foreignIndex()
      case 4:
        // as where somebody restores the segments and not the index: the loss has to be accepted
        this.#files = earlier.files.afterKill()
        this.#model = new Map(earlier.model)
        this.#moments.slice(this.#moments.indexOf(earlier) + 1).forEach(moment => { moment.isGivenUp = true })
        await this.#acceptLoss()
        return
      default:
        await this.#removeIndex()
        await this.#copyIndex(earlier.indexCopy, this.#directory)

        // it may know of commits that the log has never had
        if (earlier.isGivenUp) {
          await this.#acceptLoss()
        }
    }
  }

  /**
   * Opens the store and holds it against what it should hold. SQLite may find only then that the index is damaged: that
   * is a typed error, once for whoever writes, who makes it anew.
   */
  async check (readonly: boolean): Promise<void> {
    try {
      await this.#checkOnce(readonly)
    } catch (err) {
      expect(err).to.have.property('name', 'CorruptStoreError')
      await this.#checkOnce(false).catch(() => {})
      await this.#checkOnce(false)
    }
  }

  async #checkOnce (readonly: boolean): Promise<void> {
    await this.#withStore(readonly, async store => {
      for (const { cid, bytes } of this.#model.values()) {
        expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
      }

      const expected = [...this.#model.values()].map(({ cid }) => String(cid)).sort()
      expect((await all(store.getAll())).map(({ cid }) => String(cid)).sort()).to.deep.equal(expected)
      expect((await store.verify()).problems).to.deep.equal([])
    })
  }

  async #step (store: PackBlockstore, pool: readonly TestBlock[]): Promise<void> {
    const number = below(this.#next, pool.length)
    const { cid, bytes } = pool[number]

    switch (below(this.#next, 8)) {
      case 0:
      case 1:
        await store.delete(cid)
        this.#model.delete(number)
        return
      case 2:
        return store.sync()
      case 3:
        return below(this.#next, 4) === 0 ? store.compact() : undefined
      default:
        await store.put(cid, bytes)
        this.#model.set(number, pool[number])
    }
  }

  async #withStore (readonly: boolean, work: (store: PackBlockstore) => Promise<void>): Promise<void> {
    const store = new PackBlockstore(this.#directory, { ...options, readonly, files: this.#files })
    await store.open()

    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  async #acceptLoss (): Promise<void> {
    const store = new PackBlockstore(this.#directory, { ...options, files: this.#files })

    try {
      await store.open()
    } catch (err) {
      expect(err).to.have.property('name', 'CorruptStoreError')
      await store.verify({ drop: true })
    } finally {
      await store.close()
    }
  }

  async #indexFiles (directory: string): Promise<string[]> {
    return (await readdir(directory)).filter(name => name.startsWith('index.sqlite'))
  }

  async #copyIndex (from: string, to: string): Promise<void> {
    for (const name of await this.#indexFiles(from)) {
      await cp(join(from, name), join(to, name))
    }
  }

  async #removeIndex (): Promise<void> {
    for (const name of await this.#indexFiles(this.#directory)) {
      await rm(join(this.#directory, name))
    }
  }

  async #damageIndex (change: (bytes: Buffer) => Uint8Array): Promise<void> {
    const path = join(this.#directory, 'index.sqlite')
    await writeFile(path, change(await readFile(path)))
  }

  async #foreignIndex (): Promise<void> {
    const directory = join(this.#copies, 'foreign')
    await mkdir(directory, { recursive: true })
    const store = new PackBlockstore(directory, { ...options, files: new FaultyFiles() })
    await store.open()

    await putAll(store, await blocks(3, 500))
    await store.close()
    await this.#removeIndex()
    await this.#copyIndex(directory, this.#directory)
    await rm(directory, { recursive: true })
  }
}
