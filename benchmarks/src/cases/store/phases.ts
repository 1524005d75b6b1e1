import { PackBlockstore } from 'dagfs/pack'
import { blockOf, randomNumbers } from './blocks.ts'
import { readableStore, writableStore } from './stores.ts'
import type { PhaseKey, StoreWorkerInit } from './protocol.ts'
import type { OpenPhase } from '../../harness/serve-phase.ts'

/**
 * Read at once when a log is scanned
 */
export const READ_BYTES = 65_536

export const PHASES: Readonly<Record<PhaseKey, (init: StoreWorkerInit) => Promise<OpenPhase>>> = { fill, get, open, scan }

/**
 * Puts all blocks into an empty store, as many at a time as an importer does, and
 * closes it
 */
async function fill ({ contender, directory, blocks, blockBytes }: StoreWorkerInit): Promise<OpenPhase> {
  const width = 32

  return {
    next: async () => async () => {
      const store = writableStore(contender, directory)

      await store.open()

      for (let i = 0; i < blocks; i += width) {
        await Promise.all(Array.from({ length: Math.min(width, blocks - i) }, async (_, j) => {
          const { cid, bytes } = blockOf(i + j, blockBytes)

          await store.put(cid, bytes)
        }))
      }

      await store.close()

      return `${blocks} blocks`
    },
    async close () {}
  }
}

/**
 * Gets blocks one after the other, other ones in every round
 */
async function get ({ contender, directory, blocks, blockBytes, gets }: StoreWorkerInit): Promise<OpenPhase> {
  const store = readableStore(contender, directory)
  let rounds = 0

  await store.open()

  return {
    async next () {
      const asked = randomNumbers(gets, blocks, rounds++).map(number => blockOf(number, blockBytes))

      return async () => {
        let equal = 0

        for (const { cid, bytes } of asked) {
          for await (const found of store.get(cid)) {
            equal += Buffer.compare(found, bytes) === 0 ? 1 : 0
          }
        }

        requireAll(equal, gets, 'had the bytes that were put')

        return `${equal} blocks`
      }
    },
    close: async () => store.close()
  }
}

/**
 * Opens a pack store to write to it. It is closed outside of the clock
 */
async function open ({ directory }: StoreWorkerInit): Promise<OpenPhase> {
  let last: PackBlockstore | undefined

  return {
    async next () {
      await last?.close()
      const store = new PackBlockstore(directory)

      last = store

      return async () => {
        await store.open()

        return 'one store'
      }
    },
    async close () {
      await last?.close()
    }
  }
}

/**
 * Finds every block in the log of a pack store
 */
async function scan ({ directory, blocks }: StoreWorkerInit): Promise<OpenPhase> {
  const store = new PackBlockstore(directory, { readonly: true })

  await store.open()

  return {
    next: async () => async () => {
      let found = 0

      for await (const { length } of store.scan({ readBytes: READ_BYTES })) {
        found += length
      }

      requireAll(found, blocks, 'were found')

      return `${found} blocks`
    },
    close: async () => store.close()
  }
}

/**
 * The first round is nobody's proof: what is wrong in all of them would be the same in all.
 */
function requireAll (right: number, blocks: number, what: string): void {
  if (right !== blocks) {
    throw new Error(`${right} of ${blocks} blocks ${what}, and ${blocks - right} not`)
  }
}
