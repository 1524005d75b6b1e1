import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dirent } from 'node:fs'

interface Walked {
  /**
   * Relative to the directory that is walked, segments joined by `/`
   */
  readonly path: string
  readonly hostPath: string
}

export type WalkedEntry =
  | Walked & { readonly kind: 'file' }
  | Walked & { readonly kind: 'link' }
  | Walked & { readonly kind: 'directory', readonly children: readonly string[] }

/**
 * Yields everything below a host directory: dotfiles and empty directories
 * too, links as links. Every contender is held to this list. A name that is
 * not UTF-8 arrives with U+FFFD in it and is refused, as is a special file.
 */
export async function * walk (directory: string): AsyncGenerator<WalkedEntry> {
  const pending = ['']

  while (true) {
    const parent = pending.pop()

    if (parent == null) {
      return
    }

    const dirents = await readdir(join(directory, parent), { withFileTypes: true })

    // a disk lists in an order of its own
    dirents.sort((a, b) => a.name < b.name ? -1 : 1)

    if (parent !== '') {
      yield { path: parent, hostPath: join(directory, parent), kind: 'directory', children: dirents.map(dirent => dirent.name) }
    }

    for (const dirent of dirents) {
      const path = parent === '' ? dirent.name : `${parent}/${dirent.name}`
      const kind = kindOf(dirent, path)

      if (kind === 'directory') {
        pending.push(path)
      } else {
        yield { path, hostPath: join(directory, path), kind }
      }
    }
  }
}

function kindOf (dirent: Dirent, path: string): WalkedEntry['kind'] {
  if (dirent.name.includes('\uFFFD')) {
    throw new Error(`a corpus needs names in UTF-8, without U+FFFD: ${path}`)
  }

  if (dirent.isDirectory()) {
    return 'directory'
  }

  if (dirent.isSymbolicLink()) {
    return 'link'
  }

  if (dirent.isFile()) {
    return 'file'
  }

  throw new Error(`a corpus holds files, directories and symbolic links alone, and this is none of them: ${path}`)
}
