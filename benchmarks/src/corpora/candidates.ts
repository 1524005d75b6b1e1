import { closeSync, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { walk } from './walk.ts'
import type { DirectoryCandidate, FileCandidate, ImportCandidate } from 'ipfs-unixfs-importer'

/**
 * Above this a file is streamed. Up to it a file is read at once and in this
 * thread: for small files a promise for each step takes longer than the step
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
  const fd = openSync(hostPath, 'r')

  try {
    const { size } = fstatSync(fd)

    if (size > STREAMED_ABOVE_BYTES) {
      yield * createReadStream(hostPath, { fd, highWaterMark: STREAMED_ABOVE_BYTES, autoClose: false })
    } else if (size > 0) {
      yield readFileSync(fd)
    }
  } finally {
    closeSync(fd)
  }
}
