import { once } from 'node:events'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { MemoryBlockstore } from 'blockstore-core'
import { FsBlockstore } from 'blockstore-fs'
import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import { PackBlockstore } from 'dagfs/pack'
import { peakBytes } from '../../harness/peak.ts'
import { DiscardingStore, numberedPieces } from './discarding-store.ts'
import type { DagFs } from 'dagfs'

/**
 * What is imported, and into which store
 */
export type ImportKey = 'file' | 'pack' | 'stream'

export interface ImportInit {
  readonly key: ImportKey
  /**
   * A directory that has the file alone
   */
  readonly source: string
  /**
   * An empty one for the store
   */
  readonly directory: string
  readonly streamBytes: number
}

/**
 * What a process of its own is told to do, and what it answers
 */
export interface Tasks {
  tree(init: { readonly source: string }): Promise<TreeFigures>
  import(init: ImportInit): Promise<ImportFigures>
  /**
   * The same, and an abort comes from outside after a while
   */
  abort(init: ImportInit & { readonly afterMs: number }): Promise<AbortFigures>
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

export interface ImportFigures {
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

interface OpenImport {
  readonly fs: DagFs
  add(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

const IMPORTS: Readonly<Record<ImportKey, (init: ImportInit) => Promise<OpenImport>>> = {
  async file ({ source, directory }) {
    const blockstore = new FsBlockstore(directory)

    await blockstore.open()

    const fs = dagfs({ blockstore })

    return { fs, add: async signal => { await importDirectory(fs, source, { signal }) }, close: async () => blockstore.close() }
  },

  // synced
  async pack ({ source, directory }) {
    const blockstore = new PackBlockstore(join(directory, 'pack'))

    await blockstore.open()

    const fs = dagfs({ blockstore }, { name: 'file', roots: blockstore.roots })

    return { fs, add: async signal => { await importDirectory(fs, source, { signal }) }, close: async () => blockstore.close() }
  },

  // a file that is made while it is added, into a store that keeps nothing
  async stream ({ streamBytes }) {
    const content = numberedPieces(streamBytes)
    const fs = dagfs({ blockstore: new DiscardingStore() })

    return { fs, add: async signal => { await fs.addAll([{ path: '/stream', content }], { signal }) }, close: async () => {} }
  }
}

export const tasks: Tasks = {
  async tree ({ source }) {
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

  async import (init) {
    const opened = await IMPORTS[init.key](init)
    const figures = await watched(opened)

    await opened.close()

    return figures
  },

  async abort ({ afterMs, ...init }) {
    const opened = await IMPORTS[init.key](init)
    const controller = new AbortController()
    const dueAt = performance.now() + afterMs
    // an event loop that is held delays the abort as it would delay a user's
    const timer = setTimeout(() => { controller.abort() }, afterMs)

    try {
      await opened.add(controller.signal)
    } catch (err) {
      const now = performance.now()

      // some reject with the reason, others with an error of their own
      if (!(err instanceof Error) || err.name !== 'AbortError') {
        throw err
      }

      return { abortMs: now - dueAt }
    } finally {
      clearTimeout(timer)
      await opened.close()
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
 * Imports and commits, under the eyes of a clock.
 */
async function watched ({ fs, add }: OpenImport): Promise<ImportFigures> {
  const held = monitorEventLoopDelay({ resolution: HELD_RESOLUTION_MS })
  const startBytes = await peakBytes()
  const start = performance.now()

  held.enable()
  await add()
  await fs.commit()
  held.disable()

  return { startBytes, peakBytes: await peakBytes(), importMs: performance.now() - start, heldMs: held.max / 1e6 }
}
