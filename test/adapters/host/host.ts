import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../../src/index.ts'
import type { DagFs, EntryInfo } from '../../../src/index.ts'

/** A host directory for one test. */
export function temporaryDirectory (): { path: string, remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'dagfs-host-'))

  return {
    path,
    remove () {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

export function memoryFs (): DagFs {
  return dagfs({ blockstore: new MemoryBlockstore() })
}

export async function walked (fs: Pick<DagFs, 'walk'>, path?: string): Promise<EntryInfo[]> {
  return all(fs.walk(path))
}

export async function paths (fs: Pick<DagFs, 'walk'>, path?: string): Promise<string[]> {
  return (await walked(fs, path)).map(entry => entry.path)
}

/** The descriptors that this process has open. */
export function openDescriptors (fs: typeof import('node:fs')): number {
  return fs.readdirSync('/proc/self/fd').length
}
