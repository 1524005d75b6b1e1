import fs from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dagfs } from 'dagfs'
import { exportDirectory, importDirectory } from 'dagfs/host'
import { execa } from 'execa'
import type { PackBlockstore } from 'dagfs/pack'

/**
 * What is done with the directory, timed one after the other
 */
export interface Phase {
  readonly key: string
  readonly what: string
  readonly durable: boolean
  /**
   * Files that dagfs has to read or write; null where it is not dagfs
   */
  readonly touched: number | null
  /**
   * What comes before, and is not timed
   */
  prepare(): Promise<void>
  /**
   * Answers how many files were read or written
   */
  run(): Promise<number | null>
}

export interface PhasesInit {
  readonly store: PackBlockstore
  /**
   * The directory that is imported, and changed
   */
  readonly source: string
  /**
   * Where there is room for what is exported, and for the record
   */
  readonly directory: string
  /**
   * Paths of the files that change
   */
  readonly changing: readonly string[]
  readonly files: number
}

// so long after a file changed, with the window of the options below, its times tell that it has not changed again
const SETTLED_MS = 2_200

/**
 * Lists what is timed. It needs a directory that was imported once.
 */
export function phasesOf ({ store, source, directory, changing, files }: PhasesInit): Phase[] {
  const [copied, exported] = [join(directory, 'copied'), join(directory, 'exported')]
  const nothing = async (): Promise<void> => {}
  const imported = async (): Promise<number> => {
    const fs = open(store)
    const { files: all, unread = 0 } = await importDirectory(fs, source, importOptions(directory))

    await fs.commit()

    return all - unread
  }
  const give = async (update?: 'content' | 'time'): Promise<number> => {
    const { files: all, unchanged = 0 } = await exportDirectory(open(store), exported, { update })

    return all - unchanged
  }

  return [
    { key: 'walk', what: 'a bare walk: readdir of every directory, lstat of every entry, in one thread', durable: false, touched: null, prepare: nothing, run: async () => { walk(source); return null } },
    { key: 'again', what: 'importDirectory with a record and commit, nothing changed', durable: true, touched: 0, prepare: nothing, run: imported },
    {
      key: 'changed',
      what: `the same after ${changing.length} files changed`,
      durable: true,
      touched: changing.length,
      async prepare () {
        await Promise.all(changing.map(async path => appendFile(join(source, path), 'x')))
        await setTimeout(SETTLED_MS)
      },
      run: imported
    },
    { key: 'cp', what: 'cp -r to where nothing is', durable: false, touched: null, prepare: async () => rm(copied, { recursive: true, force: true }), run: async () => { await execa('cp', ['-r', source, copied]); return null } },
    { key: 'export', what: 'exportDirectory to where nothing is', durable: false, touched: files, prepare: async () => rm(exported, { recursive: true, force: true }), run: async () => give() },
    { key: 'export-again', what: 'the same to where it is already, comparing contents', durable: false, touched: 0, prepare: nothing, run: async () => give('content') },
    { key: 'export-by-time', what: 'the same, comparing sizes and times', durable: false, touched: 0, prepare: nothing, run: async () => give('time') }
  ]
}

export function open (store: PackBlockstore): ReturnType<typeof dagfs> {
  return dagfs({ blockstore: store }, { name: 'main', roots: store.roots })
}

export function importOptions (directory: string): { readonly record: string, readonly racyWindowMs: number, readonly mtime: true } {
  return { record: join(directory, 'record'), racyWindowMs: 2_000, mtime: true }
}

function walk (directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)

    fs.lstatSync(path)

    if (entry.isDirectory()) {
      walk(path)
    }
  }
}
