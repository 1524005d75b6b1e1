import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs, dagfs1 } from '../../src/index.ts'
import type { System } from './calls.ts'
import type { AddedEntry, BlockStore, DagFs, EntryInfo, FileLayout } from '../../src/index.ts'

/** A dagfs that operations are applied to. */
export interface DagFsSystem extends System {
  readonly fs: DagFs
  /** It gives the root that a fresh import of its content has */
  checkHistory(): Promise<void>
  close(): Promise<void>
}

/**
 * A new dagfs in memory, its draft so small, where that is asked for, that every few edits are stored early.
 */
export function openDagfsSystem (draftBytes?: number, blockstore: BlockStore = new MemoryBlockstore(), layout: FileLayout = dagfs1): DagFsSystem {
  const fs = dagfs({ blockstore }, { layout, ...(draftBytes === undefined ? {} : { draftBytes }) })
  const handles: System['handles'] = []

  return {
    fs,
    handles,
    async checkHistory () {
      const { root } = await fs.commit()
      const fresh = dagfs({ blockstore: new MemoryBlockstore() }, { layout })
      await fresh.addAll(await contentOf(fs))
      expect(String((await fresh.commit()).root), 'the root of a fresh import').to.equal(String(root))
    },
    async close () {
      await Promise.all(handles.map(async handle => handle.close()))
    }
  }
}

/** All that is in a filesystem, as it would be imported. */
async function contentOf (fs: DagFs): Promise<AddedEntry[]> {
  return Promise.all((await all(fs.walk())).map(async info => added(fs, info)))
}

async function added (fs: DagFs, { path, kind, mode, mtime, meta, target }: EntryInfo): Promise<AddedEntry> {
  const attributes = {
    ...(mode === undefined ? {} : { mode }),
    ...(mtime === undefined ? {} : { mtime }),
    ...(meta === undefined ? {} : { meta })
  }

  if (kind === 'file') {
    return { path, kind, content: await fs.readFile(path), ...attributes }
  }

  return kind === 'directory' ? { path, kind, ...attributes } : { path, kind, target: target ?? '', ...attributes }
}
