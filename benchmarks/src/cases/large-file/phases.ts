import { hash } from 'node:crypto'
import { mkdir, open as openFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import { PackBlockstore } from 'dagfs/pack'
import { openFloor } from '../../contenders/one-file.ts'
import type { LargeFileRow } from './report.ts'
import type { TimedPhase } from '../../harness/phases.ts'
import type { DagFs } from 'dagfs'

export const FILE_NAME = 'large.bin'

export type LargeFilePhase = TimedPhase & Pick<LargeFileRow, 'what' | 'durable'>

export interface PhasesInit {
  /**
   * A directory that has the file alone
   */
  readonly source: string
  /**
   * The file's length
   */
  readonly bytes: number
  /**
   * An existing, empty directory for all that is stored
   */
  readonly scratch: string
}

const PIECE_BYTES = 2 ** 20

/**
 * Lists what is timed, those that write before those that read what was written.
 *
 * Who writes removes what it wrote before, right before it is timed: each then
 * finds as much memory for the system's cache that was in use just now.
 */
export async function phasesOf ({ source, bytes, scratch }: PhasesInit): Promise<{ readonly writing: LargeFilePhase[], readonly reading: LargeFilePhase[] }> {
  const [oneFile, directory] = [join(scratch, 'floor'), join(scratch, 'pack')]

  await mkdir(oneFile)

  const floor = await openFloor(oneFile)
  const piece = new Uint8Array(PIECE_BYTES).fill(7)
  const nothing = async (): Promise<void> => {}
  let store = new PackBlockstore(directory)

  const writing = [
    {
      key: 'floor',
      what: 'the least that any program has to do: the file is read, hashed and written to one file in pieces of 4 MiB, in one thread, and that is synced once',
      durable: true,
      prepare: async () => floor.empty(),
      async run () { await floor.add(source) }
    },
    {
      key: 'write',
      what: 'importDirectory into a new pack store, and a commit that is synced',
      durable: true,
      async prepare () {
        await rm(directory, { recursive: true, force: true })
        store = new PackBlockstore(directory)
        await store.open()
      },
      async run () {
        const fs = open(store)

        await importDirectory(fs, source)
        await fs.commit()
      },
      finish: async () => store.close()
    }
  ]
  const reading = [
    {
      key: 'hash',
      what: 'sha2-256 of as many bytes, a MiB at a time and always the same one, in one thread',
      durable: false,
      prepare: nothing,
      async run () {
        for (let left = bytes; left > 0; left -= PIECE_BYTES) {
          hash('sha256', piece.subarray(0, left), 'buffer')
        }
      }
    },
    {
      key: 'read',
      what: 'cat of the file from a pack store that was just opened, every block compared with its CID; the segments are in the system\'s cache',
      durable: false,
      prepare: nothing,
      run: async () => withStore(directory, async fs => {
        const found = await lengthOf(fs)

        if (found !== bytes) {
          throw new Error(`${found} bytes were read, of ${bytes}`)
        }
      })
    }
  ]

  return { writing, reading }
}

/**
 * Compares what `write` stored with the file, byte for byte.
 */
export async function verifyStored ({ source, bytes, scratch }: PhasesInit): Promise<void> {
  const file = await openFile(join(source, FILE_NAME))

  try {
    await withStore(join(scratch, 'pack'), async fs => {
      const found = await lengthOf(fs, async (piece, start) => {
        const { buffer } = await file.read(new Uint8Array(piece.byteLength), 0, piece.byteLength, start)

        if (Buffer.compare(piece, buffer) !== 0) {
          throw new Error(`what was stored differs within ${piece.byteLength} bytes from ${start} on`)
        }
      })

      if (found !== bytes) {
        throw new Error(`${found} bytes were stored, of ${bytes}`)
      }
    })
  } finally {
    await file.close()
  }
}

async function lengthOf (fs: DagFs, look?: (piece: Uint8Array, start: number) => Promise<void>): Promise<number> {
  let bytes = 0

  for await (const piece of fs.cat(`/${FILE_NAME}`)) {
    await look?.(piece, bytes)
    bytes += piece.byteLength
  }

  return bytes
}

async function withStore (directory: string, work: (fs: DagFs) => Promise<void>): Promise<void> {
  const store = new PackBlockstore(directory)

  await store.open()

  try {
    await work(open(store))
  } finally {
    await store.close()
  }
}

function open (store: PackBlockstore): DagFs {
  return dagfs({ blockstore: store }, { name: 'main', roots: store.roots })
}
