import { flushToDisk } from '../../harness/flush.ts'
import { timeRun } from '../../harness/time-run.ts'
import { MeteredStore } from './metered-store.ts'
import { withStores } from './prepared-stores.ts'
import type { OpenHeadersContender, TreeStore } from './contenders/index.ts'
import type { Operation, Source } from './operations/index.ts'
import type { Checked, Counted, HeadersWorkerInit } from './protocol.ts'
import type { TimedSample } from '../../harness/rounds.ts'
import type { Tree } from '../../trees/tree.ts'

interface Prepared {
  readonly tree: Tree
  readonly cid: string
  readonly source: Source
}

interface Done {
  readonly tree: Tree
  readonly result: Uint8Array | string
}

/**
 * One contender doing one operation. Every run begins with the same tree in a
 * store of its own, gets bytes of its own, and opens the tree by its root.
 */
export class Work {
  readonly #contender: OpenHeadersContender
  readonly #operation: Operation
  readonly #init: HeadersWorkerInit
  readonly #flush: () => Promise<void>

  constructor (contender: OpenHeadersContender, operation: Operation, init: HeadersWorkerInit, flush = flushToDisk) {
    this.#contender = contender
    this.#operation = operation
    this.#init = init
    this.#flush = flush
  }

  /**
   * Does one run over a store that counts, and warms up.
   */
  async check (): Promise<Checked> {
    const checked = await this.#withStores(async make => {
      const store = new MeteredStore(await make())
      const prepared = await this.#prepare(store)

      store.take()

      const done = await this.#run(prepared)
      const counted: Counted = store.take()

      await this.#verify(done)

      return { cid: cidOf(prepared, done), counted }
    })

    for (let round = 0; round < this.#init.warmUpRounds; round++) {
      await this.round()
    }

    return checked
  }

  /**
   * Times as many runs as make a sample, one after the other.
   */
  async round (): Promise<TimedSample> {
    return this.#withStores(async make => {
      const prepared = await this.#prepareAll(make)

      // what was just prepared, and what the rounds of others wrote and removed, is nothing that the runs are to pay for
      if (this.#init.store === 'disk') {
        await this.#flush()
      }

      const { ms, result: done } = await timeRun(async () => {
        const all = []

        for (const run of prepared) {
          all.push(await this.#run(run))
        }

        return all
      })

      const cids = new Set(done.map((run, index) => cidOf(prepared[index], run)))

      if (cids.size !== 1) {
        throw new Error(`equal runs gave ${[...cids].join(', ')}`)
      }

      // what was read is compared for each, and what was stored for the last one
      for (const run of this.#operation.readsOnly ? done : done.slice(-1)) {
        await this.#verify(run)
      }

      return { ms, cid: [...cids][0] }
    })
  }

  async #withStores <T> (run: (make: () => Promise<TreeStore>) => Promise<T>): Promise<T> {
    return withStores(this.#init.store, this.#init.directory, run)
  }

  /**
   * Trees that are only read from can all be the same.
   */
  async #prepareAll (make: () => Promise<TreeStore>): Promise<Prepared[]> {
    const { runs, fileBytes } = this.#init
    const prepared = [await this.#prepare(await make())]

    while (prepared.length < runs) {
      prepared.push(this.#operation.readsOnly ? { ...prepared[0], source: this.#operation.source(fileBytes) } : await this.#prepare(await make()))
    }

    return prepared
  }

  async #prepare (store: TreeStore): Promise<Prepared> {
    const { fileBytes } = this.#init
    const tree = await this.#contender.create(store)

    await this.#operation.prepare(tree, fileBytes)

    return { tree, cid: await tree.commit(), source: this.#operation.source(fileBytes) }
  }

  async #run ({ tree, source }: Prepared): Promise<Done> {
    const opened = await tree.reopen()

    return { tree: opened, result: await this.#operation.run(opened, source) }
  }

  async #verify ({ tree, result }: Done): Promise<void> {
    await this.#operation.verify(tree, result, this.#init.fileBytes)
  }
}

/**
 * The tree's that was read from, or that was committed
 */
function cidOf ({ cid }: Prepared, { result }: Done): string {
  return typeof result === 'string' ? result : cid
}
