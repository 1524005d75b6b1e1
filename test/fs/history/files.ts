import all from 'it-all'
import { dagfs } from '../../../src/index.ts'
import type { DagFs, LoggedSnapshot, TreeDifference } from '../../../src/index.ts'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'

/** The texts of files by their paths */
export type Files = Record<string, string>

export async function write (fs: DagFs, files: Files): Promise<void> {
  await fs.addAll(Object.entries(files).map(([path, content]) => ({ path, content })))
}

export async function read (fs: Pick<DagFs, 'walk' | 'readFile'>): Promise<Files> {
  const files: Files = {}

  for await (const { kind, path } of fs.walk()) {
    if (kind === 'file') {
      files[path] = await fs.readFile(path, 'utf8')
    }
  }

  return files
}

export const told = ({ message, missing }: LoggedSnapshot): string => `${message ?? ''}${missing.length > 0 ? ', shallow' : ''}`

export const plain = async (changes: AsyncIterable<TreeDifference>): Promise<string[]> => (await all(changes)).map(({ kind, path }) => `${kind} ${path}`)

/** A snapshot of some files over another one, made by another handle. */
export async function snapshotOver (blockstore: Blockstore, cid: CID, message: string, files: Files): Promise<CID> {
  const other = dagfs({ blockstore })
  await other.checkout(cid)
  await write(other, files)

  return (await other.snapshot({ message })).cid
}
