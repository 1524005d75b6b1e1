import { open, readlink } from 'node:fs/promises'
import { walk } from './walk.ts'
import type { DirectoryCandidate, FileCandidate, ImportCandidate } from 'ipfs-unixfs-importer'

/**
 * Above this a file is streamed; up to it one read is enough, which is the
 * fastest way that Node has
 */
const STREAMED_ABOVE_BYTES = 2 ** 20

/**
 * Yields a directory as the importers of the UnixFS family take it. Only empty
 * directories are named, the others follow from the paths in them.
 */
export async function * candidates (directory: string): AsyncGenerator<ImportCandidate> {
  for await (const entry of walk(directory)) {
    if (entry.kind === 'file') {
      yield { path: entry.path, content: content(entry.hostPath) }
    } else if (entry.kind === 'link') {
      yield { path: entry.path, link: await readlink(entry.hostPath) }
    } else if (entry.children.length === 0) {
      yield { path: entry.path }
    }
  }
}

/**
 * The same for those that know no symbolic links; a corpus with links must not
 * reach them.
 */
export async function * candidatesWithoutLinks (directory: string): AsyncGenerator<FileCandidate | DirectoryCandidate> {
  for await (const candidate of candidates(directory)) {
    if ('link' in candidate) {
      throw new Error(`cannot carry the symbolic link ${candidate.path}`)
    }

    yield candidate
  }
}

async function * content (hostPath: string): AsyncGenerator<Uint8Array> {
  const handle = await open(hostPath)

  try {
    const { size } = await handle.stat()

    if (size > STREAMED_ABOVE_BYTES) {
      yield * handle.createReadStream({ highWaterMark: STREAMED_ABOVE_BYTES, autoClose: false })
    } else if (size > 0) {
      yield await handle.readFile()
    }
  } finally {
    await handle.close()
  }
}
