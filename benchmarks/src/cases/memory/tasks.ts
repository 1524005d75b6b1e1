import { once } from 'node:events'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { MemoryBlockstore } from 'blockstore-core'
import { FsBlockstore } from 'blockstore-fs'
import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import { PackBlockstore } from 'dagfs/pack'
import { peakBytes } from '../../harness/peak.ts'
import { AbortingStore } from './aborting-store.ts'
import { DiscardingStore, numberedPieces } from './discarding-store.ts'
import type { DagFs } from 'dagfs'

/**
 * What a process of its own is told to do, and what it answers
 */
export interface Tasks {
  tree(source: string): Promise<TreeFigures>
  file(source: string, store: string): Promise<FileFigures>
  /**
   * The same into the pack store, synced
   */
  pack(source: string, store: string): Promise<FileFigures>
  /**
   * A file that is made while it is added, into a store that keeps nothing
   */
  stream(bytes: number): Promise<FileFigures>
  abort(source: string, store: string, afterPuts: number, delayMs: number): Promise<AbortFigures>
  /**
   * Does nothing but look at the clock, until nobody writes to it any more
   */
  watch(): Promise<WatchFigures>
}

export interface TreeFigures {
  readonly files: number
  readonly storedBytes: number
  /**
   * Before the import
   */
  readonly startBytes: number
  readonly peakBytes: number
}

export interface FileFigures {
  readonly startBytes: number
  readonly peakBytes: number
  readonly importMs: number
  /**
   * The longest time in which no timer could fire
   */
  readonly heldMs: number
}

export interface WatchFigures {
  /**
   * The longest time that the machine had no core for it
   */
  readonly heldMs: number
}

export interface AbortFigures {
  /**
   * From the moment at which the abort was due until the import had failed
   */
  readonly abortMs: number
}

const HELD_RESOLUTION_MS = 1

export const tasks: Tasks = {
  async tree (source) {
    const blockstore = new MemoryBlockstore()
    const startBytes = await peakBytes()
    const fs = dagfs({ blockstore })
    const { files } = await importDirectory(fs, source)

    await fs.commit()

    const peak = await peakBytes()
    let storedBytes = 0

    for await (const { bytes } of blockstore.getAll()) {
      for await (const piece of bytes) {
        storedBytes += piece.byteLength
      }
    }

    return { files, storedBytes, startBytes, peakBytes: peak }
  },

  async file (source, directory) {
    const blockstore = new FsBlockstore(directory)

    await blockstore.open()

    const figures = await watched(dagfs({ blockstore }), async fs => { await importDirectory(fs, source) })

    await blockstore.close()

    return figures
  },

  async pack (source, directory) {
    const blockstore = new PackBlockstore(join(directory, 'pack'))

    await blockstore.open()

    const fs = dagfs({ blockstore }, { name: 'file', roots: blockstore.roots })
    const figures = await watched(fs, async () => { await importDirectory(fs, source) })

    await blockstore.close()

    return figures
  },

  async stream (bytes) {
    const content = numberedPieces(bytes)

    return watched(dagfs({ blockstore: new DiscardingStore() }), async fs => {
      await fs.addAll([{ path: '/stream', content }])
    })
  },

  async abort (source, directory, afterPuts, delayMs) {
    const blockstore = new AbortingStore(directory, afterPuts, delayMs)

    await blockstore.open()

    const { signal } = blockstore

    try {
      await importDirectory(dagfs({ blockstore }), source, { signal })
    } catch (err) {
      const now = performance.now()

      if (!signal.aborted || err !== signal.reason) {
        throw err
      }

      return { abortMs: now - blockstore.dueAt }
    } finally {
      blockstore.disarm()
      await blockstore.close()
    }

    throw new Error('the import ended before it was aborted')
  },

  async watch () {
    const held = monitorEventLoopDelay({ resolution: HELD_RESOLUTION_MS })

    held.enable()
    process.stdin.resume()
    await once(process.stdin, 'end')
    held.disable()

    return { heldMs: held.max / 1e6 }
  }
}

/**
 * Adds something and commits it, under the eyes of a clock.
 */
async function watched (fs: DagFs, add: (fs: DagFs) => Promise<void>): Promise<FileFigures> {
  const held = monitorEventLoopDelay({ resolution: HELD_RESOLUTION_MS })
  const startBytes = await peakBytes()
  const start = performance.now()

  held.enable()
  await add(fs)
  await fs.commit()
  held.disable()

  return { startBytes, peakBytes: await peakBytes(), importMs: performance.now() - start, heldMs: held.max / 1e6 }
}
