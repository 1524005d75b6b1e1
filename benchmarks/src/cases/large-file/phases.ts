import { hash } from 'node:crypto'
import { mkdir, open as openFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import { PackBlockstore } from 'dagfs/pack'
import { openFloor } from '../../contenders/one-file.ts'
import { flushToDisk } from '../../harness/flush.ts'
import type { OpenPhase } from '../../harness/serve-phase.ts'
import type { DagFs } from 'dagfs'

export const FILE_NAME = 'large.bin'

export type PhaseKey = 'floor' | 'write' | 'hash' | 'read'

/**
 * What the process of one phase is told
 */
export interface PhaseInit {
  readonly phase: PhaseKey
  /**
   * A directory that has the file alone
   */
  readonly source: string
  /**
   * The file's length
   */
  readonly bytes: number
  /**
   * An existing directory for all that is stored; whoever writes removes what it
   * wrote before, so that each finds memory for the system's cache that was in use
   */
  readonly scratch: string
}

interface Phase {
  /**
   * What one round does
   */
  readonly what: string
  /**
   * Whether the bytes are on the disk when it ends
   */
  readonly durable: boolean
  open(init: PhaseInit): Promise<OpenPhase>
}

const PIECE_BYTES = 2 ** 20

/**
 * Those that write, before those that read what was written
 */
export const PHASES: Readonly<Record<PhaseKey, Phase>> = {
  floor: {
    what: 'the least that any program has to do: the file is read, hashed and written to one file in pieces of 4 MiB, in one thread, and that is synced once',
    durable: true,
    open: openTheFloor
  },
  write: {
    what: 'importDirectory into a new pack store, and a commit that is synced',
    durable: true,
    open: openWrite
  },
  hash: {
    what: 'sha2-256 of as many bytes, a MiB at a time and always the same one, in one thread',
    durable: false,
    open: openHash
  },
  read: {
    what: 'cat of the file from a pack store that is open, every block compared with its CID; the segments are in the system\'s cache',
    durable: false,
    open: openRead
  }
}

async function openTheFloor ({ source, bytes, scratch }: PhaseInit): Promise<OpenPhase> {
  const directory = join(scratch, 'floor')

  await mkdir(directory)

  const floor = await openFloor(directory)

  return {
    async next () {
      await flushToDisk()
      await floor.empty()

      return async () => {
        await floor.add(source)

        return `${bytes} bytes`
      }
    },
    close: async () => floor.close()
  }
}

async function openWrite ({ source, scratch }: PhaseInit): Promise<OpenPhase> {
  const directory = packIn(scratch)
  let last: PackBlockstore | undefined

  return {
    async next () {
      await last?.close()
      await flushToDisk()
      await rm(directory, { recursive: true, force: true })

      const store = new PackBlockstore(directory)

      last = store
      await store.open()

      return async () => {
        const fs = open(store)

        await importDirectory(fs, source)

        const { root } = await fs.commit()

        return root.toString()
      }
    },
    async close () {
      await last?.close()
    }
  }
}

async function openHash ({ bytes }: PhaseInit): Promise<OpenPhase> {
  const piece = new Uint8Array(PIECE_BYTES).fill(7)

  return {
    next: async () => async () => {
      for (let left = bytes; left > 0; left -= PIECE_BYTES) {
        hash('sha256', piece.subarray(0, left), 'buffer')
      }

      return `${bytes} bytes`
    },
    async close () {}
  }
}

async function openRead ({ source, bytes, scratch }: PhaseInit): Promise<OpenPhase> {
  const store = new PackBlockstore(packIn(scratch))
  let isCompared = false

  await store.open()

  return {
    next: async () => async () => {
      const found = await lengthOf(open(store), isCompared ? undefined : source)

      isCompared = true

      if (found !== bytes) {
        throw new Error(`${found} bytes were read, and the file has ${bytes}`)
      }

      return `${found} bytes`
    },
    close: async () => store.close()
  }
}

/**
 * Reads what `write` stored, comparing it with the file where there is one.
 */
async function lengthOf (fs: DagFs, source: string | undefined): Promise<number> {
  const file = source == null ? undefined : await openFile(join(source, FILE_NAME))
  let bytes = 0

  try {
    for await (const piece of fs.cat(`/${FILE_NAME}`)) {
      const read = await file?.read(new Uint8Array(piece.byteLength), 0, piece.byteLength, bytes)

      if (read != null && Buffer.compare(piece, read.buffer) !== 0) {
        throw new Error(`what was stored differs within ${piece.byteLength} bytes from ${bytes} on`)
      }

      bytes += piece.byteLength
    }

    const size = file == null ? bytes : (await file.stat()).size

    if (size !== bytes) {
      throw new Error(`${bytes} bytes were stored of a file of ${size}`)
    }
  } finally {
    await file?.close()
  }

  return bytes
}

function packIn (scratch: string): string {
  return join(scratch, 'pack')
}

function open (store: PackBlockstore): DagFs {
  return dagfs({ blockstore: store }, { name: 'main', roots: store.roots })
}
