import { Node } from 'ipfs-unixfs'
import { exporter } from 'ipfs-unixfs-exporter'
import toBuffer from 'it-to-buffer'
import { equals } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import type { StoredEntry } from './contender.ts'
import type { ReadableStorage, UnixFSDirectory } from 'ipfs-unixfs-exporter'

/**
 * Reads a UnixFS directory back, whoever wrote it.
 */
export async function * readUnixfs (root: CID, blocks: ReadableStorage): AsyncGenerator<StoredEntry> {
  const directory = await exporter(root, blocks)

  if (directory.type !== 'directory') {
    throw new Error(`the root ${root} is not a directory but ${directory.type}`)
  }

  yield * readDirectory(directory, '', blocks)
}

async function * readDirectory (directory: UnixFSDirectory, parent: string, blocks: ReadableStorage): AsyncGenerator<StoredEntry> {
  for await (const { cid, name } of entriesOf(directory, blocks)) {
    const path = parent === '' ? name : `${parent}/${name}`
    const entry = await exporter(cid, blocks)

    if (entry.type === 'directory') {
      yield { path, kind: 'directory' }
      yield * readDirectory(entry, path, blocks)
    } else if (entry.type === 'file' && entry.unixfs.type === 'symlink') {
      yield { path, kind: 'link', target: new TextDecoder('utf-8', { ignoreBOM: true }).decode(entry.unixfs.data) }
    } else if (entry.type === 'file' || entry.type === 'raw') {
      yield { path, kind: 'file', content: () => entry.content() }
    } else {
      throw new Error(`${path} is stored as ${entry.type}`)
    }
  }
}

/**
 * The entries of a directory by their names as they are stored. `@ipld/dag-pb`, which the exporter reads a directory in one
 * block by, drops a U+FEFF that a name begins with.
 */
async function * entriesOf (directory: UnixFSDirectory, blocks: ReadableStorage): AsyncGenerator<{ cid: CID, name: string }> {
  if (directory.unixfs?.type !== 'directory') {
    yield * directory.entries()
    return
  }

  for (const { hash, name = '' } of Node.decode(await toBuffer(blocks.get(directory.cid))).links) {
    if (hash == null) {
      throw new Error(`a link of the directory ${directory.cid} has no CID`)
    }

    yield { cid: CID.decode(hash), name }
  }
}

/**
 * Makes a reader of a function from a CID to its bytes, and holds every block
 * against its CID.
 */
export function checkedBlocks (get: (cid: CID) => Promise<Uint8Array>): ReadableStorage {
  return {
    async * get (cid) {
      const bytes = await get(cid)
      const digest = await sha256.digest(bytes)

      if (!equals(digest.bytes, cid.multihash.bytes)) {
        throw new Error(`the stored block ${cid} does not match its CID`)
      }

      yield bytes
    }
  }
}
